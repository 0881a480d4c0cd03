import { MAX_BUSY_MS, MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { DAY_MS } from '../../../core/time-units.ts'
import { preparedQuery } from '../../../platform/db/prepared.ts'
import { columnList } from '../../../platform/db/row-reader.ts'
import { sessions } from '../../../platform/db/schema/bookings.ts'
import { calendarConnections } from '../../../platform/db/schema/calendars.ts'
import { CONNECTION_FACTS } from '../calendar.ts'
import {
  CAP_MARGIN_MS,
  LIMIT_MARGIN_MS,
  OWN_SCHEDULE,
  organizationFacts,
  type RawOrganization,
  SHARED_VERSION,
} from '../queries.ts'
import { ownCalendars } from '../resources/queries.ts'
import { unitNumbers } from '../resources/unit-numbers.ts'
import { busyOf, foreignBusyOf, heldOf } from '../taken/queries.ts'

/*
 * The schedules of several event types, read together. Each person and calendar is read once, however many event types
 * share them. Lists are bound as JSON. Each person, calendar and event type has its own present, because a sandbox may have
 * a clock of its own.
 */

/** Longer lists of dates are filtered in the database: reading their rows is cheaper than moving them. */
const LONG_OVERRIDES = 64_000

/** The part that does not depend on the range. */
export type RawOffer = Readonly<Record<string, unknown>> &
  RawOrganization & {
    readonly id: string
    readonly shared_version: number
    readonly default_calendar: string | null
    readonly rules: string
    readonly hosts: string
    readonly own_calendars: string
    readonly closing: string
    readonly is_waited_for: 0 | 1
  }

const HOSTS = `SELECT json_group_array(json_array(h.member_id, h.resource_id, h.priority, h.weight,
    h.last_assignment, h.schedule_id, h.created_at, h.id, h.part)) FROM event_type_hosts h WHERE h.event_type_id = e.id`

const OWN_CALENDARS = `SELECT json_group_array(id) FROM (${ownCalendars({ organization: 'o', isTest: 'e.is_test' })})`

export const selectOffers = preparedQuery<RawOffer, readonly [ids: string, month: string]>(
  `SELECT e.*, ${SHARED_VERSION} AS shared_version, ${organizationFacts('?2')},
  o.default_calendar_connection_id AS default_calendar,
  CASE WHEN e.hours_from = 'own' AND ${OWN_SCHEDULE} IS NULL THEN (
    SELECT json_group_array(json_array(day_of_week, start_time, end_time)) FROM availability_rules
    WHERE event_type_id = e.id) ELSE '[]' END AS rules,
  (${HOSTS}) AS hosts,
  CASE WHEN EXISTS (SELECT 1 FROM event_type_hosts WHERE event_type_id = e.id) THEN '[]' ELSE (${OWN_CALENDARS}) END
    AS own_calendars,
  (SELECT json_group_array(c.id) FROM calendar_connections c
    WHERE c.organization_id = e.organization_id AND c.is_test = e.is_test AND c.everybody) AS closing,
  EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = e.id AND status = 'waiting') AS is_waited_for
FROM json_each(?1) asked JOIN event_types e ON e.id = asked.value JOIN organizations o ON o.id = e.organization_id
WHERE e.deleted_at IS NULL`,
)

/** The instant from which packed times count: the day on which the range begins. */
const BASE = `(?2 - ?2 % ${DAY_MS})`
const PRESENT = `(asked.value ->> 1)`
const HELD_FROM = `?2 - ${2 * MAX_HOLD_MS}`
const HELD_UNTIL = `?3 + ${MAX_HOLD_MS}`

/** The holds of a resource around the range that have not expired; `margin` widens the range. */
function heldAround(resource: string, margin = '0'): string {
  const from = `${HELD_FROM} - ${margin}`
  const until = `${HELD_UNTIL} + ${margin}`
  return heldOf(resource, { from, until, present: PRESENT, base: BASE })
}

/** Whether expired holds of a resource still exist at `present`. */
function hasExpired(resource: string, present: string): string {
  return `EXISTS (SELECT 1 FROM holds WHERE resource_id = ${resource} AND expires_at <= ${present} AND kept_by = '')`
}

/** An event type's own part in the range. */
export type RawSpan = {
  readonly id: string
  readonly own_version: number
  readonly shared_version: number
  /** When everybody is off; only for an event type without hosts. */
  readonly closed: string
  readonly overrides: string
  readonly sessions: string
  readonly booked_starts: string
  readonly held_starts: string
  readonly holds: string | null
  readonly kept: string
  readonly expired: string
  readonly next_expiry: number | null
  readonly has_reserved: 0 | 1
}

/** How far a period of the cap may reach outside the range. */
const CAP_REACH = `CASE e.booking_cap_period WHEN 'daily' THEN ${2 * DAY_MS} WHEN 'weekly' THEN ${LIMIT_MARGIN_MS}
  ELSE ${CAP_MARGIN_MS} END`

export const selectSpans = preparedQuery<
  RawSpan,
  readonly [asked: string, start: number, end: number, firstDate: string, lastDate: string]
>(`SELECT e.id, e.version AS own_version, ${SHARED_VERSION} AS shared_version,
  CASE WHEN e.hours_from = 'own' AND ${OWN_SCHEDULE} IS NULL THEN (
    SELECT json_group_array(json_array(date, json(intervals))) FROM availability_overrides
    WHERE event_type_id = e.id AND date >= ?4 AND date <= ?5) ELSE '[]' END AS overrides,
  CASE WHEN e.max_attendees > 1 THEN (
    SELECT json_group_array(json_array(${columnList(sessions, 's')})) FROM sessions s
    WHERE event_type_id = e.id AND start_time > ?2 - ${2 * MAX_HOLD_MS} AND start_time < ?3 + ${MAX_HOLD_MS})
    ELSE '[]' END AS sessions,
  CASE WHEN e.booking_cap IS NOT NULL AND e.booking_cap_period <> 'total' THEN (
    SELECT json_group_array(json_array(start, bookings)) FROM (
      SELECT start_time AS start, count(*) AS bookings FROM bookings
      WHERE event_type_id = e.id AND start_time >= ?2 - ${CAP_REACH} AND start_time < ?3 + ${CAP_REACH}
        AND status <> 'cancelled' GROUP BY start_time)) ELSE '[]' END AS booked_starts,
  CASE WHEN e.booking_cap IS NOT NULL THEN (
    SELECT json_group_array(json_array(start_time, held)) FROM (
      SELECT start_time, sum(places) AS held FROM cap_changes
      WHERE event_type_id = e.id AND since <= ${PRESENT} AND until > ${PRESENT} GROUP BY start_time)) ELSE '[]' END
    AS held_starts,
  CASE WHEN o.hours_version > 0 AND NOT EXISTS (SELECT 1 FROM event_type_hosts WHERE event_type_id = e.id) THEN (
    SELECT json_group_array(json_array(t.id, t.starts_at, t.ends_at)) FROM time_off t
    WHERE t.member_id = o.id AND t.is_test = e.is_test AND t.ends_at > ?2 AND t.starts_at < ${HELD_UNTIL}) ELSE '[]' END
    AS closed,
  ${heldAround('e.id')} AS holds,
  (SELECT json_group_array(json_array(resource_id, starts_at, ends_at, holder_id, coalesce(meets_at, starts_at), expires_at))
    FROM holds WHERE kept_by <> '' AND kept_by = e.id AND starts_at > ${HELD_FROM} AND starts_at < ${HELD_UNTIL}
      AND (expires_at IS NULL OR expires_at > ${PRESENT})) AS kept,
  (SELECT json_group_array(json_array(coalesce(booking_id, id), start_time, end_time, session_id, seats)) FROM slot_holds
    WHERE event_type_id = e.id AND status = 'held' AND expires_at <= ${PRESENT}) AS expired,
  (SELECT min(expires_at) FROM slot_holds
    WHERE event_type_id = e.id AND status = 'held' AND expires_at > ${PRESENT}) AS next_expiry,
  EXISTS (SELECT 1 FROM freed_times WHERE event_type_id = e.id) OR ${hasExpired('e.id', PRESENT)} AS has_reserved
FROM json_each(?1) asked JOIN event_types e ON e.id = (asked.value ->> 0)
JOIN organizations o ON o.id = e.organization_id`)

export type RawHours = {
  readonly schedule_id: string | null
  readonly schedule_zone: string
  readonly schedule_rules: string
  readonly schedule_overrides: string
}

/** The hours of the schedule `s`, with at least its overrides from one date to another. */
function hoursFor(first: string, last: string): string {
  return `s.id AS schedule_id, s.timezone AS schedule_zone, s.rules AS schedule_rules,
  CASE WHEN length(s.overrides) < ${LONG_OVERRIDES} THEN s.overrides ELSE (
    SELECT json_group_array(json(day.value)) FROM json_each(s.overrides) day
    WHERE day.value ->> 'date' >= ${first} AND day.value ->> 'date' <= ${last}) END AS schedule_overrides`
}

const CALENDAR = `json_array(${columnList(calendarConnections, 'c', CONNECTION_FACTS)}) AS connection,
  ${busyOf({ from: `?2 - ${MAX_HOLD_MS + MAX_BUSY_MS}`, until: HELD_UNTIL })} AS busy,
  ${heldAround('c.id')} AS holds, ${hasExpired('c.id', PRESENT)} AS has_expired`

export type RawCalendar = {
  readonly connection: string
  readonly busy: string | null
  readonly holds: string | null
  readonly has_expired: 0 | 1
}

export type RawCalendarOfPerson = RawCalendar & { readonly resource_id: string }

/** Members in one mode, their taken time, and their default hours. */
export type RawPerson = RawHours & {
  readonly resource_id: string
  readonly user_id: string
  readonly user_email: string
  readonly name: string | null
  readonly timezone: string | null
  readonly per_day: number | null
  readonly per_week: number | null
  readonly time_off: string
  readonly holds: string | null
  readonly has_expired: 0 | 1
}

const IS_LIMITED = `(m.max_bookings_per_day IS NOT NULL OR m.max_bookings_per_week IS NOT NULL)`

export const selectPeople = preparedQuery<
  RawPerson,
  readonly [asked: string, start: number, end: number, firstDate: string, lastDate: string]
>(`SELECT asked.value ->> 3 AS resource_id, m.user_id, m.user_email, m.name, m.timezone,
  m.max_bookings_per_day AS per_day, m.max_bookings_per_week AS per_week, ${hoursFor('?4', '?5')},
  (SELECT json_group_array(json_array(t.id, t.starts_at, t.ends_at)) FROM time_off t
    WHERE t.member_id = m.id AND t.is_test = (asked.value ->> 2) AND t.ends_at > ?2
      AND t.starts_at < ${HELD_UNTIL}) AS time_off,
  ${heldAround('(asked.value ->> 3)', `CASE WHEN ${IS_LIMITED} THEN ${LIMIT_MARGIN_MS} ELSE 0 END`)} AS holds,
  ${hasExpired('(asked.value ->> 3)', PRESENT)} AS has_expired
FROM json_each(?1) asked JOIN members m ON m.id = (asked.value ->> 0)
LEFT JOIN schedules s ON s.member_id = m.id AND s.is_test = (asked.value ->> 2) AND s.is_default = 1`)

type Asked = readonly [asked: string, start: number, end: number]

/** The calendars of these people. */
export const selectCalendarsOfPeople = preparedQuery<RawCalendarOfPerson, Asked>(
  `SELECT asked.value ->> 3 AS resource_id, ${CALENDAR} FROM json_each(?1) asked
   JOIN calendar_connections c ON c.member_id = (asked.value ->> 0) AND c.is_test = (asked.value ->> 2) AND NOT c.everybody`,
)

/** These calendars, for event types without hosts. */
export const selectCalendars = preparedQuery<RawCalendar, Asked>(
  `SELECT ${CALENDAR} FROM json_each(?1) asked JOIN calendar_connections c ON c.id = (asked.value ->> 0)`,
)

/** These calendars of everybody. */
export const selectClosing = preparedQuery<Pick<RawCalendar, 'connection' | 'busy'>, Asked>(
  `SELECT json_array(${columnList(calendarConnections, 'c', CONNECTION_FACTS)}) AS connection,
     ${foreignBusyOf({ from: `?2 - ${MAX_HOLD_MS + MAX_BUSY_MS}`, until: HELD_UNTIL })} AS busy
   FROM json_each(?1) asked JOIN calendar_connections c ON c.id = asked.value`,
)

/** The schedules that event types and hosts name. */
export const selectHours = preparedQuery<
  RawHours,
  readonly [ids: string, firstDate: string, lastDate: string]
>(`SELECT ${hoursFor('?2', '?3')} FROM json_each(?1) asked JOIN schedules s ON s.id = asked.value`)

/** Rooms and equipment, with their time off and hours. */
export type RawRoom = RawHours & {
  readonly id: string
  readonly name: string
  readonly quantity: number
  readonly active: 0 | 1
  readonly time_off: string
}

export type RawUnit = {
  readonly id: string
  readonly holds: string | null
  readonly has_expired: 0 | 1
}

export type RawFeed = Pick<RawCalendar, 'connection' | 'busy'> & { readonly resource_id: string }

export const selectRooms = preparedQuery<
  RawRoom,
  readonly [asked: string, start: number, end: number, firstDate: string, lastDate: string]
>(`SELECT r.id, r.name, r.quantity, r.active, ${hoursFor('?4', '?5')},
  (SELECT json_group_array(json_array(t.id, t.starts_at, t.ends_at)) FROM time_off t
    WHERE t.member_id = r.id AND t.is_test = r.is_test AND t.ends_at > ?2 AND t.starts_at < ${HELD_UNTIL}) AS time_off
FROM json_each(?1) asked JOIN resources r ON r.id = (asked.value ->> 0)
LEFT JOIN schedules s ON s.id = r.schedule_id`)

const UNIT_ID = `r.id || '#' || unit.value`

export const selectUnits = preparedQuery<RawUnit, Asked>(
  `SELECT ${UNIT_ID} AS id, ${heldAround(UNIT_ID)} AS holds, ${hasExpired(UNIT_ID, PRESENT)} AS has_expired
   FROM json_each(?1) asked CROSS JOIN resources r ON r.id = (asked.value ->> 0)
   CROSS JOIN json_each(${unitNumbers('r.quantity')}) unit`,
)

export const selectFeeds = preparedQuery<RawFeed, Asked>(
  `SELECT c.resource_id, json_array(${columnList(calendarConnections, 'c', CONNECTION_FACTS)}) AS connection,
     ${busyOf({ from: `?2 - ${MAX_HOLD_MS + MAX_BUSY_MS}`, until: HELD_UNTIL })} AS busy
   FROM json_each(?1) asked JOIN calendar_connections c ON c.resource_id = (asked.value ->> 0)`,
)
