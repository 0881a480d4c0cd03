import { sql } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { conferencingConnections } from '../../db/schema/conferencing.ts'

/** For the batch that empties the sandbox of these, a JSON list. */
export function dropAccounts(db: Db, ids: string): Statement {
  return db.delete(conferencingConnections).where(sql`id IN (SELECT value FROM json_each(${ids}))`)
}
