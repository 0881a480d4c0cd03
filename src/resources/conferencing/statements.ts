import { and, eq } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { conferencingConnections } from '../../db/schema/conferencing.ts'

/** For the batch that empties the sandbox. */
export function dropTestAccounts(db: Db, organizationId: string): Statement {
  const { organizationId: owner, isTest } = conferencingConnections
  return db.delete(conferencingConnections).where(and(eq(owner, organizationId), eq(isTest, true)))
}
