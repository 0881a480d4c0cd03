import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Organizations that move to another deployment: nobody changes anything of theirs here, and nothing is sent for them. */
export const moves = sqliteTable('moves', {
  organizationId: text('organization_id').primaryKey(),
  beganAt: integer('began_at').notNull(),
})

/** Organizations that are being taken in. What was read so far waits beside the tables until all of it is there. */
export const imports = sqliteTable(
  'imports',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    /** When its last lines came: one that is silent for long has died. */
    seenAt: integer('seen_at').notNull(),
  },
  (t) => [index('imports_seen').on(t.seenAt)],
)

/** Rows of one table in the order in which they were read, each an array of what its columns hold. */
export const importChunks = sqliteTable(
  'import_chunks',
  {
    importId: text('import_id').notNull(),
    number: integer().notNull(),
    rows: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.number] })],
)
