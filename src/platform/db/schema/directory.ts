import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * What only one organization may have, where that organization is in another database: its slug and its owner. Rows are in the
 * directory alone, whose own organizations have both in `organizations`. Triggers hold each against the other.
 */
export const names = sqliteTable(
  'names',
  {
    kind: text({ enum: ['slug', 'owner'] }).notNull(),
    name: text().notNull(),
    organizationId: text('organization_id').notNull(),
    /** Since when the organization may or may not have it; null when it was seen to have it. */
    unsureSince: integer('unsure_since'),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.name] }),
    index('names_of').on(table.organizationId, table.kind),
    index('names_unsure').on(table.unsureSince),
  ],
)
