import { and, asc, eq, sql } from 'drizzle-orm'
import { aboutColumn } from '../../outbox/mail/about/statements.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { type EmailTextKind, emailTexts } from '../../platform/db/schema/email-texts.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'
import type { Language } from '../../platform/i18n/tags.ts'

export type EmailTextRow = typeof emailTexts.$inferSelect

type Which = { readonly organizationId: string; readonly kind: EmailTextKind; readonly locale: Language }

export function listEmailTexts(db: Db, organizationId: string): Promise<EmailTextRow[]> {
  return db
    .select()
    .from(emailTexts)
    .where(eq(emailTexts.organizationId, organizationId))
    .orderBy(asc(emailTexts.kind), asc(emailTexts.locale))
}

export async function findEmailText(
  db: Db,
  { organizationId, kind, locale }: Which,
): Promise<EmailTextRow | undefined> {
  const isIt = and(eq(emailTexts.organizationId, organizationId), eq(emailTexts.kind, kind))
  const [row] = await db
    .select()
    .from(emailTexts)
    .where(and(isIt, eq(emailTexts.locale, locale)))
  return row
}

/** The organization's language, as a tag. */
export async function findLocale(db: Db, organizationId: string): Promise<string> {
  const [row] = await db
    .select({ locale: organizations.locale })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.locale ?? 'en'
}

export function putEmailTextRow(db: Db, row: EmailTextRow): Statement {
  const { subject, intro, closing, updatedAt } = row
  return db
    .insert(emailTexts)
    .values(row)
    .onConflictDoUpdate({
      target: [emailTexts.organizationId, emailTexts.kind, emailTexts.locale],
      set: { subject, intro, closing, updatedAt },
    })
}

export function deleteEmailTextRow(db: Db, id: string): Statement {
  return db.delete(emailTexts).where(eq(emailTexts.id, id))
}

/** What a preview says: of the oldest event type of the mode, for the member with that user id. */
export function selectForPreview(
  db: Db,
  { organizationId, isTest }: Tenant,
  kind: EmailTextKind,
  userId: string | null,
) {
  const first = sql`(SELECT id FROM event_types WHERE organization_id = ${organizationId} AND is_test = ${isTest ? 1 : 0}
    AND deleted_at IS NULL ORDER BY id LIMIT 1)`
  const { id, name, userEmail, timezone } = members
  return db
    .select({
      about: aboutColumn(sql`${kind}`),
      zone: organizations.timezone,
      location: eventTypes.location,
      durationMinutes: eventTypes.durationMinutes,
      member: { id, name, email: userEmail, timezone },
    })
    .from(organizations)
    .leftJoin(eventTypes, eq(eventTypes.id, first))
    .leftJoin(members, and(eq(members.organizationId, organizations.id), eq(members.userId, userId ?? '')))
    .where(eq(organizations.id, organizationId))
}
