import { overPlan } from '../money/plan-limits/refusals.ts'
import type { Tenant } from '../platform/auth/caller.ts'
import type { Db } from '../platform/db/client.ts'
import { fenceOf } from '../platform/db/refusals.ts'
import type { ConnectionRow } from '../platform/db/schema/calendars.ts'
import { notFound, Refused, refuse } from '../platform/http/errors.ts'
import type { AccountRow } from './accounts/queries.ts'
import { findConnectable, type ListedConnection } from './queries.ts'

export type CalendarRef = {
  readonly member: NonNullable<Awaited<ReturnType<typeof findConnectable>>['member']>
  /** The same account of the same member, where it no longer works, with what is connected of it. */
  readonly account: AccountRow | null
  readonly connections: readonly ListedConnection[]
  /** Whether another calendar of the member receives their bookings. */
  readonly hasReceiving: boolean
  /** The zone that its member lives in, for a calendar without one. */
  readonly timezone: string
  readonly sandboxNow: number | null
  /** Set if it is a resource's, whose id is the member's too. */
  readonly resourceId?: string
}

/** The resource that gets a feed, and what it has of it. */
export async function findPlaceOfResource(
  db: Db,
  tenant: Tenant,
  resourceId: string,
  accountKey: string,
): Promise<CalendarRef> {
  const found = await findConnectable(db, tenant, null, accountKey, resourceId)
  if (!found.member) throw notFound('resource')
  return { ...placeIn(found), resourceId }
}

export async function findPlace(
  db: Db,
  tenant: Tenant,
  memberId: string | null,
  accountKey: string,
  isWider = false,
): Promise<CalendarRef> {
  return placeIn(await findConnectable(db, tenant, memberId, accountKey), isWider)
}

/**
 * The member who gets the calendar, and the connections that it renews. Refuses an account that is already connected, unless
 * its owner permits more than before.
 */
export function placeIn(found: Awaited<ReturnType<typeof findConnectable>>, isWider = false): CalendarRef {
  const { organization, member, timezone, hasReceiving, account, connections } = found
  const { sandboxNow } = organization
  if (!member) throw notFound('member')
  // Calendars of one account learn one after the other that its permission ended.
  const isConnected = connections.length > 0 && connections.every(({ connection }) => isWorking(connection))
  if (isConnected && !isWider) throw refuse('account_connected')
  return { member, hasReceiving, account, connections, timezone, sandboxNow }
}

function isWorking({ status, syncStatus }: ConnectionRow): boolean {
  return status === 'active' && syncStatus !== 'error'
}

/** The refusal for a refused commit of a connection. */
export function refusalOfCommit(error: unknown): unknown {
  switch (fenceOf(error)) {
    case 'CALENDAR_TAKEN':
      return refuse('account_connected')
    case 'PLAN_LIMIT':
      return new Refused(overPlan('calendars_per_member'))
    case 'STALE':
    case 'RECEIVING_TAKEN':
      return refuse('calendar_changed')
    default:
      return error
  }
}
