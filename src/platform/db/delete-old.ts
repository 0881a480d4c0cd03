import { type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './client.ts'

/**
 * Deletes the rows whose keys `old` selects, and returns a key of each. The sweep looks for `old` first, so that it deletes only
 * where something is old.
 */
export function deleteOld(
  db: Db,
  table: SQLiteTable,
  keys: readonly [SQLiteColumn, ...SQLiteColumn[]],
  old: SQLWrapper,
) {
  const isOld = sql`(${sql.join([...keys], sql`, `)}) IN ${old}`
  return Object.assign(db.delete(table).where(isOld).returning({ key: keys[0] }), { old })
}
