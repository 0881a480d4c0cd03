import { and, eq, inArray, sql } from 'drizzle-orm'
import { ROLES, type Role } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { apiKeys } from '../../platform/db/schema/api-keys.ts'

/** In the batch that gives a member this role: their keys have no higher one from now on, whatever role comes later. */
export function lowerKeysOf(db: Db, memberId: string, role: Role): Statement {
  const higher = ROLES.slice(0, ROLES.indexOf(role))
  return db
    .update(apiKeys)
    .set({ role })
    .where(and(eq(apiKeys.memberId, memberId), inArray(apiKeys.role, higher)))
}

/** The same before the ownership is transferred: the owner becomes an admin. */
export function lowerKeysOfOwner(db: Db, organizationId: string): Statement {
  const owner = sql`(SELECT id FROM members WHERE organization_id = ${organizationId} AND role = 'owner')`
  return db
    .update(apiKeys)
    .set({ role: 'admin' })
    .where(and(sql`${apiKeys.memberId} IN ${owner}`, eq(apiKeys.role, 'owner')))
}
