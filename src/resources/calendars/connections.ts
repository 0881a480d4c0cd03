import type { Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import {
  countConnections,
  deleteConnectionsOfMember,
  deleteTestConnections,
  freeByDefault,
  freeByOwner,
  guardConnection,
  isConnectionOf,
  selectActiveProviders,
} from './queries.ts'

/** The calendars of a member who leaves are theirs; for the batch that removes them. */
export function dropConnectionsOf(db: Db, memberId: string): Statement[] {
  return deleteConnectionsOfMember(db, memberId)
}

/** For the batch that empties the sandbox. */
export function dropTestConnections(db: Db, organizationId: string): Statement[] {
  return deleteTestConnections(db, organizationId)
}

/** How many connections there are, and how many of them work, as a query for any batch. */
export function selectConnectionCounts(db: Db, tenant: Tenant) {
  return countConnections(db, tenant)
}

/** The providers that an active connection of the tenant is with, as a query for any batch. */
export function selectConnectedProviders(db: Db, tenant: Tenant) {
  return selectActiveProviders(db, tenant)
}

export function hasConnection(db: Db, tenant: Tenant, id: string): Promise<boolean> {
  return isConnectionOf(db, tenant, id)
}

/** Refuses the batch when the connection is gone by then. */
export function guardConnected(db: Db, id: string): Statement {
  return guardConnection(db, id)
}

/** For the batch that makes another calendar the default, and before that. */
export function freeTimeOfDefault(db: Db, organizationId: string): readonly Statement[] {
  return freeByDefault(db, organizationId)
}

/** For the batch that makes somebody else the owner, and before that. */
export function freeTimeOfOwner(db: Db, organizationId: string): readonly Statement[] {
  return freeByOwner(db, organizationId)
}
