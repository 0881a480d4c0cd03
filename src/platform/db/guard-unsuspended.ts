import { type SQL, sql } from 'drizzle-orm'
import type { Db, Statement } from './client.ts'
import { refuseWhen } from './refusals.ts'

export function isSuspended(organizationId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${organizationId} AND suspended_at IS NOT NULL)`
}

/** Refuses the batch where the organization was suspended in the meantime. */
export function guardUnsuspended(db: Db, organizationId: string): Statement {
  return refuseWhen(db, 'STALE', isSuspended(organizationId))
}
