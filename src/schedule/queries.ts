import { and, asc, count, eq, gt, gte, inArray, isNotNull, lt, lte, ne, sql } from 'drizzle-orm'
import type { Db, Statement } from '../db/client.ts'
import { refuseWhen } from '../db/refusals.ts'
import { bookings, holds, sessions } from '../db/schema/bookings.ts'
import { calendarBusyTimes, calendarConnections } from '../db/schema/calendars.ts'
import { availabilityOverrides, availabilityRules, eventTypes } from '../db/schema/event-types.ts'
import { eventTypeHosts } from '../db/schema/hosts.ts'
import { bookingQuotas, members, organizations } from '../db/schema/organizations.ts'
import { freedTimes, waitlistEntries } from '../db/schema/waitlist.ts'
import type { Interval } from '../scheduling/interval.ts'
import { formatDate } from '../scheduling/local-time.ts'
import { FREE_TIME_REACH_MS } from '../scheduling/rotation.ts'
import type { Schedule } from './schedule.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Zones are at most 14 hours from UTC, so a range of instants touches dates up to a day outside it in UTC; one more for windows that reach over midnight. */
const DATE_MARGIN_MS = 3 * DAY_MS
/** A cap period that touches the range begins or ends at most a month outside it. */
const CAP_MARGIN_MS = 33 * DAY_MS
/** No hold is longer. */
const MAX_HOLD_MS = 12 * HOUR_MS
/** What a longer event blocks is kept in pieces. */
const MAX_BUSY_MS = 7 * DAY_MS

export function selectRules(db: Db, eventTypeId: string) {
  return db
    .select()
    .from(availabilityRules)
    .where(eq(availabilityRules.eventTypeId, eventTypeId))
    .orderBy(asc(availabilityRules.id))
}

export function selectOverrides(db: Db, eventTypeId: string) {
  return db
    .select()
    .from(availabilityOverrides)
    .where(eq(availabilityOverrides.eventTypeId, eventTypeId))
    .orderBy(asc(availabilityOverrides.date))
}

function selectHosts(db: Db, eventTypeId: string, now: number) {
  const present = sql`coalesce((SELECT sandbox_now FROM organizations o JOIN event_types e ON o.id = e.organization_id
    WHERE e.id = ${eventTypeId} AND e.is_test), ${now})`
  // Only one strategy asks for it.
  const counted = sql`(SELECT id FROM event_types WHERE id = ${eventTypeId} AND assignment_strategy = 'least_bookings')`
  const ahead = sql`(SELECT assigned_host_id AS host, count(*) AS bookings, min(start_time) AS next FROM bookings
    WHERE event_type_id = ${counted} AND start_time > ${present} AND status <> 'cancelled' GROUP BY assigned_host_id) ahead`
  return db
    .select({
      id: eventTypeHosts.memberId,
      resourceId: eventTypeHosts.resourceId,
      priority: eventTypeHosts.priority,
      weight: eventTypeHosts.weight,
      totalBookings: eventTypeHosts.totalBookings,
      lastAssignment: eventTypeHosts.lastAssignment,
      addedAt: eventTypeHosts.createdAt,
      userId: members.userId,
      email: members.userEmail,
      activeBookings: sql<number>`coalesce(ahead.bookings, 0)`.as('active_bookings'),
      nextCounted: sql<number | null>`ahead.next`.as('next_counted'),
    })
    .from(eventTypeHosts)
    .innerJoin(members, eq(members.id, eventTypeHosts.memberId))
    .leftJoin(ahead, sql`ahead.host = ${eventTypeHosts.memberId}`)
    .where(eq(eventTypeHosts.eventTypeId, eventTypeId))
    .orderBy(asc(eventTypeHosts.priority), asc(eventTypeHosts.createdAt), asc(eventTypeHosts.memberId))
}

/** How much further than the range the taken time is asked for: one strategy measures a week of it. */
function reachOf(eventTypeId: string) {
  return sql`(SELECT CASE assignment_strategy WHEN 'availability_weighted' THEN ${FREE_TIME_REACH_MS} ELSE 0 END
    FROM event_types WHERE id = ${eventTypeId})`
}

/** The calendars that have a say; the view tells which. */
function calendarsOf(eventTypeId: string) {
  return sql`(SELECT calendar_id FROM event_type_calendars WHERE event_type_id = ${eventTypeId})`
}

function selectConnections(db: Db, eventTypeId: string) {
  const isDefault = sql`EXISTS (SELECT 1 FROM organizations o WHERE o.id = calendar_connections.organization_id
    AND o.default_calendar_connection_id = calendar_connections.id)`
  return db
    .select({ connection: calendarConnections, isDefault: isDefault.mapWith(Boolean).as('is_default') })
    .from(calendarConnections)
    .where(inArray(calendarConnections.id, calendarsOf(eventTypeId)))
    .orderBy(asc(calendarConnections.id))
}

function selectBusyTimes(db: Db, eventTypeId: string, range: Interval) {
  const reach = reachOf(eventTypeId)
  return db
    .select({
      connectionId: calendarBusyTimes.connectionId,
      start: calendarBusyTimes.startsAt,
      end: calendarBusyTimes.endsAt,
    })
    .from(calendarBusyTimes)
    .where(
      and(
        inArray(calendarBusyTimes.connectionId, calendarsOf(eventTypeId)),
        gt(calendarBusyTimes.startsAt, sql`${range.start - MAX_HOLD_MS - MAX_BUSY_MS} - ${reach}`),
        lt(calendarBusyTimes.startsAt, sql`${range.end + MAX_HOLD_MS} + ${reach}`),
      ),
    )
}

/** The holds of the event type, its hosts and its calendars, whatever they are held for, and those kept of hosts who left. */
function selectHolds(db: Db, eventTypeId: string, range: Interval) {
  const reach = reachOf(eventTypeId)
  const resources = sql`(SELECT resource_id FROM event_type_resources WHERE event_type_id = ${eventTypeId} UNION ALL
    SELECT resource_id FROM holds WHERE resource_id > ${`${eventTypeId}/`} AND resource_id < ${`${eventTypeId}0`})`
  return db
    .select()
    .from(holds)
    .where(
      and(
        inArray(holds.resourceId, resources),
        gt(holds.startsAt, sql`${range.start - 2 * MAX_HOLD_MS} - ${reach}`),
        lt(holds.startsAt, sql`${range.end + MAX_HOLD_MS} + ${reach}`),
      ),
    )
}

function selectSessions(db: Db, eventTypeId: string, range: Interval) {
  return db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.eventTypeId, eventTypeId),
        gt(sessions.startTime, range.start - 2 * MAX_HOLD_MS),
        lt(sessions.startTime, range.end + MAX_HOLD_MS),
      ),
    )
}

/** Who sits in the session at `start`, by their addresses in lower case. */
function selectSeatsAt(db: Db, eventTypeId: string, start: number | null) {
  return db
    .select({ start: bookings.startTime, email: sql<string>`lower(seat.value ->> 'email')`.as('email') })
    .from(bookings)
    .innerJoin(sql`json_each(${bookings.attendees}) AS seat`, sql`true`)
    .where(
      and(
        eq(bookings.eventTypeId, eventTypeId),
        eq(bookings.startTime, start ?? -1),
        ne(bookings.status, 'cancelled'),
        isNotNull(bookings.sessionId),
      ),
    )
}

const paymentAccountId = sql<string | null>`(SELECT account_id FROM payment_accounts
  WHERE organization_id = event_types.organization_id AND charges_enabled AND disconnected_at IS NULL)`

/** Everything that decides which starts in `range` are open, as queries for one batch. */
export function scheduleQueries(
  db: Db,
  eventTypeId: string,
  { range, seatsAt }: { readonly range: Interval; readonly seatsAt: number | null },
  month: string,
  now: number,
) {
  return [
    db
      .select({
        eventType: eventTypes,
        organization: {
          tier: organizations.tier,
          suspendedAt: organizations.suspendedAt,
          sandboxNow: organizations.sandboxNow,
          paymentAccountId: paymentAccountId.as('payment_account_id'),
          bookingsPerNetworkHour: organizations.bookingsPerNetworkHour,
          pendingPerNetwork: organizations.pendingPerNetwork,
          activePerEmail: organizations.activePerEmail,
          waitingPerEmail: organizations.waitingPerEmail,
        },
        bookingsThisMonth: bookingQuotas.bookings,
        sharedVersion: sql<number>`CASE WHEN ${eventTypes.isTest} THEN test_version ELSE live_version END`.as(
          'shared_version',
        ),
      })
      .from(eventTypes)
      .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
      .leftJoin(
        bookingQuotas,
        and(eq(bookingQuotas.organizationId, eventTypes.organizationId), eq(bookingQuotas.month, month)),
      )
      .where(eq(eventTypes.id, eventTypeId)),
    selectRules(db, eventTypeId),
    db
      .select()
      .from(availabilityOverrides)
      .where(
        and(
          eq(availabilityOverrides.eventTypeId, eventTypeId),
          gte(availabilityOverrides.date, formatDate(range.start - DATE_MARGIN_MS)),
          lte(availabilityOverrides.date, formatDate(range.end + DATE_MARGIN_MS)),
        ),
      ),
    selectHosts(db, eventTypeId, now),
    selectHolds(db, eventTypeId, range),
    selectSessions(db, eventTypeId, range),
    selectSeatsAt(db, eventTypeId, seatsAt),
    db
      .select({ start: bookings.startTime, count: count() })
      .from(bookings)
      .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
      .where(
        and(
          eq(bookings.eventTypeId, eventTypeId),
          isNotNull(eventTypes.bookingCap),
          ne(eventTypes.bookingCapPeriod, 'total'),
          gte(bookings.startTime, range.start - CAP_MARGIN_MS),
          lt(bookings.startTime, range.end + CAP_MARGIN_MS),
          ne(bookings.status, 'cancelled'),
        ),
      )
      .groupBy(bookings.startTime),
    selectConnections(db, eventTypeId),
    selectBusyTimes(db, eventTypeId, range),
  ] as const
}

/** Refuses the batch when what was decided on is no longer so: the event type, its hours, or a suspension. */
export function refuseWhenChanged(db: Db, { eventType, organization }: Schedule): Statement {
  const isChanged = sql`NOT EXISTS (
    SELECT 1 FROM event_types JOIN organizations ON organizations.id = event_types.organization_id
    WHERE event_types.id = ${eventType.id} AND event_types.updated_at = ${eventType.updatedAt}
      AND event_types.deleted_at IS NULL AND organizations.suspended_at IS ${organization.suspendedAt}
      AND organizations.tier = ${organization.tier})`
  return refuseWhen(db, 'STALE', isChanged)
}

/** What was given up of the event type's time and not offered yet to those who wait. */
export function selectFreed(db: Db, eventTypeId: string) {
  return db
    .select()
    .from(freedTimes)
    .where(eq(freedTimes.eventTypeId, eventTypeId))
    .orderBy(asc(freedTimes.id))
}

/** The starts that are waited for, null for any, where there is freed time to offer. */
export function selectWanted(db: Db, eventTypeId: string) {
  const isFreed = sql`EXISTS (SELECT 1 FROM freed_times WHERE event_type_id = ${eventTypeId})`
  return db
    .selectDistinct({ start: waitlistEntries.startTime })
    .from(waitlistEntries)
    .where(and(eq(waitlistEntries.eventTypeId, eventTypeId), sql`status = 'waiting'`, isFreed))
}
