import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The emails to invitees whose texts an organization can write. */
export const EMAIL_TEXT_KINDS = [
  'confirmation',
  'moved',
  'cancelled',
  'reminder',
  'request',
  'waitlist',
  'follow_up',
] as const
export type EmailTextKind = (typeof EMAIL_TEXT_KINDS)[number]

/** Texts of an organization, for both modes; null where the default applies. */
export const emailTexts = sqliteTable(
  'email_texts',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    kind: text({ enum: EMAIL_TEXT_KINDS }).notNull(),
    locale: text({ enum: ['en', 'de', 'fr', 'es', 'ja', 'ar'] }).notNull(),
    subject: text(),
    intro: text(),
    closing: text(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [uniqueIndex('email_texts_kind').on(t.organizationId, t.kind, t.locale)],
)
