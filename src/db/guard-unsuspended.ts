import { sql } from 'drizzle-orm'
import type { Db, Statement } from './client.ts'
import { refuseWhen } from './refusals.ts'

/** Refuses the batch where the organization was suspended in the meantime. */
export function guardUnsuspended(db: Db, organizationId: string): Statement {
  const isSuspended = sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${organizationId} AND suspended_at IS NOT NULL)`
  return refuseWhen(db, 'STALE', isSuspended)
}
