import { and, eq, lt } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { conferencingConnections } from '../../db/schema/conferencing.ts'

/** For the batch that empties the sandbox of what was made before the id. */
export function dropTestAccounts(db: Db, organizationId: string, before: string): Statement {
  const { organizationId: owner, isTest, id } = conferencingConnections
  return db
    .delete(conferencingConnections)
    .where(and(eq(owner, organizationId), eq(isTest, true), lt(id, before)))
}
