import { and, eq, gt, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { resourceIdOf } from '../../../core/resource-id.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { MAY_BE_CO_HOST } from '../../../platform/db/co-hosts.ts'
import { isAddress } from '../../../platform/db/email-spellings.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import type { BookingQuery } from './schema.ts'

const { organizationId, isTest, eventTypeId, assignedHostId, sessionId, seriesId, status, startTime, id } =
  bookings
const email = sql`lower(${bookings.inviteeEmail})`

/**
 * The columns of the index that reads the fewest rows, newest first. Most have the status before the id, so at most a page
 * of each status is read. A session, a series and an address have an index of their own, and few bookings.
 */
export function indexFor(query: BookingQuery): readonly SQLWrapper[] {
  if (query.session_id !== undefined) return [sessionId]
  if (query.series_id !== undefined) return [seriesId]
  if (query.invitee_email !== undefined) return [organizationId, isTest, email, id]
  if (query.assigned_host_id !== undefined) {
    return [assignedHostId, query.event_type_id === undefined ? isTest : eventTypeId, status, id]
  }
  return query.event_type_id === undefined ? [organizationId, isTest, status, id] : [eventTypeId, status, id]
}

/** Whether a filter has an index of its own, with few bookings. */
export function hasFewBookings({ invitee_email, session_id, series_id }: BookingQuery): boolean {
  return invitee_email !== undefined || session_id !== undefined || series_id !== undefined
}

/** All filters but the member, along one index: a plus keeps the database from choosing another index for a column. */
export function matches(
  tenant: Tenant,
  query: BookingQuery,
  index: readonly SQLWrapper[],
  isAsked: SQL = sql`true`,
): SQL | undefined {
  // All values are listed if none is given, so that the index is used.
  const isOfStatus = isAmong(index.includes(status) ? status : sql`+${status}`, statusesOf(query), isAsked)
  return and(matchesButStatus(tenant, query, index), isOfStatus)
}

export function matchesButStatus(
  tenant: Tenant,
  query: BookingQuery,
  index: readonly SQLWrapper[],
): SQL | undefined {
  const of = (column: SQLWrapper) => (index.includes(column) ? sql`${column}` : sql`+${column}`)
  return and(
    eq(of(organizationId), tenant.organizationId),
    eq(of(isTest), Number(tenant.isTest)),
    query.event_type_id && isAmong(of(eventTypeId), query.event_type_id),
    query.assigned_host_id === undefined
      ? undefined
      : eq(of(assignedHostId), query.assigned_host_id.toLowerCase()),
    query.session_id === undefined ? undefined : eq(of(sessionId), query.session_id.toLowerCase()),
    query.series_id === undefined ? undefined : eq(of(seriesId), query.series_id.toLowerCase()),
    query.invitee_email && isAddress(of(email), ...query.invitee_email),
    startsInRange(query, of(startTime)),
  )
}

export function statusesOf({ status: asked }: BookingQuery) {
  return [...new Set(asked ?? status.enumValues)]
}

export function isAmong(column: SQLWrapper, values: readonly string[], isAsked: SQL = sql`true`): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}) WHERE ${isAsked})`
}

export function startsInRange({ start_after: after, start_before: before }: BookingQuery, start: SQLWrapper) {
  return and(
    after === undefined ? undefined : gt(start, after),
    before === undefined ? undefined : lt(start, before),
  )
}

/** The event types that a member hosts together with others of it, or hosted so; none unless `isAsked`. */
export function hostedTogetherBy(
  memberId: string,
  { organizationId: ours, isTest: mode }: Tenant,
  isAsked: SQL = sql`true`,
): SQL {
  const isOurs = sql`e.organization_id = ${ours} AND e.is_test = ${Number(mode)}`
  return sql`SELECT e.id FROM event_type_hosts h CROSS JOIN event_types e ON e.id = h.event_type_id AND ${MAY_BE_CO_HOST} AND ${isOurs}
    WHERE h.member_id = ${memberId} AND ${isAsked}
    UNION ALL SELECT e.id FROM former_hosts f CROSS JOIN event_types e ON e.id = f.event_type_id AND ${isOurs}
    WHERE f.member_id = ${memberId} AND ${isAsked}`
}

/** Whether a member holds the time of a booking, which may be assigned to another host of it. */
export function takesPart(memberId: string, tenant: Tenant): SQL {
  // Not EXISTS, which becomes a join: then all are read and sorted. The session is asked for last, because only the row has it.
  const holds = (
    holder: SQL,
  ) => sql`(SELECT true FROM holds INDEXED BY holds_holder WHERE holder_id = ${holder}
    AND resource_id = ${resourceIdOf(memberId, tenant.isTest)} AND kept_by = '' LIMIT 1)`
  const session = sql`(SELECT one.session_id FROM bookings one WHERE one.id = ${id})`
  return sql`coalesce(${holds(sql`${id}`)}, ${holds(session)}) IS NOT NULL`
}

/** Nothing if no member is asked for. It goes along no index of its own. */
export function isOfMember(tenant: Tenant, query: BookingQuery): SQL | undefined {
  const memberId = query.member_id?.toLowerCase()
  return memberId === undefined
    ? undefined
    : sql`(+${assignedHostId} = ${memberId}
        OR +${eventTypeId} IN (${hostedTogetherBy(memberId, tenant)}) AND ${takesPart(memberId, tenant)})`
}
