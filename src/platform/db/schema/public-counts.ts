import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What calls without a key have made, each in a window that ends. */
export const publicCounts = sqliteTable(
  'public_counts',
  {
    endsAt: integer('ends_at').notNull(),
    /** Counters of anonymous callers; networks and addresses only as hashes. */
    subject: text().notNull(),
    made: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.endsAt, t.subject] })],
)
