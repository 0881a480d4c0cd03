import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The last code that was mailed to an address for an event type; both are kept as keyed hashes only. */
export const emailCodes = sqliteTable(
  'email_codes',
  {
    subject: text().primaryKey(),
    codeMark: text('code_mark').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    /** By the clock of the event type's side: a sandbox may have one of its own. */
    expiresAt: integer('expires_at').notNull(),
    /** By the real clock. */
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('email_codes_created').on(t.createdAt)],
)
