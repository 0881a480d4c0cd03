import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import { FREE_TIME_REACH_MS } from '../../core/rotation.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { preparedQuery } from '../../platform/db/prepared.ts'
import { columnList } from '../../platform/db/row-reader.ts'
import { sessions } from '../../platform/db/schema/bookings.ts'
import { COUNTS_UNTIL } from '../../platform/db/waits-until.ts'
import { heldOf } from './taken/queries.ts'
import { CHANGE_LENGTH } from './version.ts'

/** The part of the version that `e`, an event type of the organization `o`, shares with the others of its mode. */
export const SHARED_VERSION = 'CASE WHEN e.is_test THEN o.test_version ELSE o.live_version END'

const CHANGES = 'CASE WHEN e.is_test THEN o.test_changes ELSE o.live_changes END'

/** What of the event type `e` says which resources are read, and how much of their time. */
const ASKS_FOR = 'e.assignment_strategy || e.requires'

/**
 * The changes of hosts since a known version, one after another; null if everybody may have changed. `e` must have the same
 * hosts and must ask for the same of them.
 */
export function changesSince({ shared, hosts, asksFor }: SinceWhat): string {
  return `CASE WHEN e.hosts_version = ${hosts} AND ${ASKS_FOR} = ${asksFor} THEN
    CASE ${SHARED_VERSION} - ${shared} WHEN 0 THEN '' ELSE (
      SELECT substr(latest, 1, many * ${CHANGE_LENGTH}) FROM (
        SELECT ${SHARED_VERSION} - ${shared} AS many, ${CHANGES} AS changes,
          substr(${CHANGES}, instr(${CHANGES}, '/') + 1) AS latest)
      WHERE changes LIKE ${SHARED_VERSION} || '/%' AND many BETWEEN 1 AND length(latest) / ${CHANGE_LENGTH}
        AND instr(substr(latest, 1, many * ${CHANGE_LENGTH}), '*') = 0) END END`
}

type SinceWhat = { readonly shared: string; readonly hosts: string; readonly asksFor: string }

/** A day or a week of a host's zone that touches the range reaches at most a week outside it. */
export const LIMIT_MARGIN_MS = 8 * DAY_MS
/** A cap period that touches the range reaches at most a month outside it. */
export const CAP_MARGIN_MS = 33 * DAY_MS

export type RawOrganization = {
  readonly tier: string
  readonly hours_version: number
  readonly organization_timezone: string
  readonly locale: string
  readonly suspended_at: number | null
  readonly sandbox_now: number | null
  readonly bookings_per_network_hour: number | null
  readonly pending_per_network: number | null
  readonly active_per_email: number | null
  readonly waiting_per_email: number | null
  readonly attendees_per_booking: number | null
  readonly payment_account_id: string | null
  readonly has_calendars: 0 | 1
  readonly bookings_this_month: number
}

/** The part of an event type itself, with lists as JSON. */
export type RawSchedule = Readonly<Record<string, unknown>> &
  RawOrganization & {
    readonly shared_version: number
    /** See `changesSince`. */
    readonly changes: string | null
    readonly rules: string
    readonly overrides: string
    readonly ahead: string
    /** Its own holds, packed. */
    readonly held: string | null
    readonly kept: string
    readonly sessions: string
    readonly seats: string
    readonly invitee_bookings: number
    readonly booked_starts: string
    readonly held_starts: string
    readonly expired: string
    readonly next_expiry: number | null
    readonly freed: string
    readonly wanted: string
  }

/**
 * How much further than the range taken time is read, because one strategy measures a week. Everything below is evaluated
 * for the event type `e` of the organization `o`.
 */
export const REACH = `CASE e.assignment_strategy WHEN 'availability_weighted' THEN ${FREE_TIME_REACH_MS} ELSE 0 END`
const HELD_FROM = `?4 - ${2 * MAX_HOLD_MS} - ${REACH}`
const HELD_UNTIL = `?5 + ${MAX_HOLD_MS} + ${REACH}`

/** The event type's present: a sandbox may have a clock of its own. */
export const PRESENT = 'CASE WHEN e.is_test THEN coalesce(o.sandbox_now, ?2) ELSE ?2 END'

const RULES = `SELECT json_group_array(json_array(day_of_week, start_time, end_time))
  FROM availability_rules WHERE event_type_id = ?1`

const OVERRIDES = `SELECT json_group_array(json_array(date, json(intervals)))
  FROM availability_overrides WHERE event_type_id = ?1 AND date >= ?7 AND date <= ?8`

/** The schedule whose hours `e` has instead of its own rules: the one that it names, or the organization's default. */
export const OWN_SCHEDULE = `coalesce(e.schedule_id, nullif(e.default_schedule_id, ''))`

/** No hours are read if no member of the organization ever had hours. */
export const HAS_HOURS = 'o.hours_version > 0'

/** Whether the booking `b` is active: neither cancelled nor expired. */
const IS_ACTIVE = `b.status <> 'cancelled' AND ${COUNTS_UNTIL} > ${PRESENT}`

/** Whether bookings of `e` may have more hosts of a pool than the assigned one. */
const HAS_CO_HOSTS = '(e.pool_size > 1 OR e.many_hosts)'

/** What the bookings in `those` count for each of their hosts, by `group`. */
function countedFor(values: string, group: string, those: string): string {
  const counted = (host: string, from: string) => `SELECT ${host} AS host, start_time FROM bookings b${from}
      WHERE event_type_id = ?1 AND ${IS_ACTIVE} AND assigned_host_id IS NOT NULL AND ${those}`
  return `SELECT json_group_array(json_array(host, bookings, start)) FROM (
    SELECT host, count(*) AS bookings, ${values} AS start FROM (
      ${counted('assigned_host_id', '')}
      UNION ALL ${counted("one.value ->> 'member_id'", ', json_each(b.co_hosts) one')} AND ${HAS_CO_HOSTS})
    GROUP BY ${group})`
}

/** One strategy needs each host's upcoming bookings, and another one those around the range, by start. */
const AHEAD = `CASE e.assignment_strategy WHEN 'least_bookings' THEN (
  ${countedFor('min(start_time)', 'host', `start_time > ${PRESENT}`)}) WHEN 'availability_weighted' THEN (
  ${countedFor('start_time', 'start_time, host', `start_time >= ?4 - ${REACH} AND start_time < ?5 + ${REACH}`)}) ELSE '[]' END`

const HELD = heldOf('e.id', { from: HELD_FROM, until: HELD_UNTIL, present: PRESENT, base: '?12' })

/** Holds of hosts who left, which the event type keeps. */
const KEPT = `SELECT json_group_array(json_array(resource_id, starts_at, ends_at, holder_id, coalesce(meets_at, starts_at),
    expires_at)) FROM holds
  WHERE kept_by <> '' AND kept_by = ?1 AND starts_at > ${HELD_FROM} AND starts_at < ${HELD_UNTIL}
    AND (expires_at IS NULL OR expires_at > ${PRESENT})`

const NEAR_SESSIONS = `start_time > ?4 - ${2 * MAX_HOLD_MS} AND start_time < ?5 + ${MAX_HOLD_MS}`

/** With the session of booking ?10, wherever it is: others in it decide what rescheduling releases. */
const SESSION = `json_array(${columnList(sessions, 's')})`
const SESSIONS = `SELECT json_group_array(json(one)) FROM (
    SELECT ${SESSION} AS one FROM sessions s WHERE event_type_id = ?1 AND ${NEAR_SESSIONS}
    UNION ALL SELECT ${SESSION} FROM sessions s WHERE id = (SELECT session_id FROM bookings WHERE id = ?10)
      AND event_type_id = ?1 AND NOT (${NEAR_SESSIONS}))`

/** The addresses with seats in the session at that start, in lower case. */
const SEATS = `CASE WHEN ?6 IS NULL THEN '[]' ELSE (
  SELECT json_group_array(lower(seat.value ->> 'email')) FROM bookings b, json_each(b.attendees) seat
  WHERE b.event_type_id = ?1 AND b.start_time = ?6 AND ${IS_ACTIVE} AND b.session_id IS NOT NULL) END`

/**
 * Upcoming bookings of the address, or of that of booking ?10, which is not counted; only if they are limited. The plus
 * makes the database use the index of addresses.
 */
const INVITEE_BOOKINGS = `CASE WHEN e.invitee_limit IS NULL THEN 0 ELSE (
  SELECT count(*) FROM bookings b WHERE b.organization_id = e.organization_id AND b.is_test = e.is_test
    AND lower(b.invitee_email) IN (SELECT lower(value) FROM json_each(?9)
      UNION ALL SELECT lower(invitee_email) FROM bookings WHERE id = ?10)
    AND +b.event_type_id = ?1 AND ${IS_ACTIVE} AND b.id IS NOT ?10
    AND b.start_time > ${PRESENT}) END`

const BOOKED_STARTS = `CASE WHEN e.booking_cap IS NOT NULL AND e.booking_cap_period <> 'total' THEN (
  SELECT json_group_array(json_array(start, bookings)) FROM (
    SELECT start_time AS start, count(*) AS bookings FROM bookings
    WHERE event_type_id = ?1 AND start_time >= ?4 - ${CAP_MARGIN_MS} AND start_time < ?5 + ${CAP_MARGIN_MS}
      AND status <> 'cancelled'
    GROUP BY start_time)) ELSE '[]' END`

/** By how much holds and expired bookings change a cap's count, by start. */
const HELD_STARTS = `CASE WHEN e.booking_cap IS NOT NULL THEN (
  SELECT json_group_array(json_array(start_time, held)) FROM (
    SELECT start_time, sum(places) AS held FROM cap_changes
    WHERE event_type_id = ?1 AND since <= ${PRESENT} AND until > ${PRESENT} GROUP BY start_time)) ELSE '[]' END`

/** Expired holds that still exist: its own, and its holds and waiting bookings, with their seats in a session. */
const EXPIRED = `SELECT json_group_array(json_array(source, starts_at, ends_at, session_id, seats)) FROM (
    SELECT holder_id AS source, starts_at, ends_at, NULL AS session_id, 0 AS seats FROM holds
    WHERE resource_id = ?1 AND expires_at <= ${PRESENT} AND kept_by = ''
    UNION ALL SELECT coalesce(booking_id, id), start_time, end_time, session_id, seats FROM slot_holds
    WHERE event_type_id = ?1 AND status = 'held' AND expires_at <= ${PRESENT})`

/** When the next of its own holds expires. */
const NEXT_EXPIRY = `SELECT min(expires_at) FROM slot_holds
  WHERE event_type_id = ?1 AND status = 'held' AND expires_at > ${PRESENT}`

/** Limit of released times that are offered at once, oldest first: a calendar may release more than a row of D1 takes. */
export const MOST_FREED = 2_000

const FREED = `SELECT json_group_array(json_array(id, source, starts_at, ends_at) ORDER BY id) FROM (
  SELECT * FROM freed_times WHERE event_type_id = ?1 ORDER BY id LIMIT ${MOST_FREED})`

/** The starts with waiting entries, null for any, if there is released or expired time to offer. */
const WANTED = `CASE WHEN EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = ?1 AND status = 'waiting')
    AND (EXISTS (SELECT 1 FROM freed_times WHERE event_type_id = ?1)
    OR EXISTS (SELECT 1 FROM slot_holds WHERE event_type_id = ?1 AND status = 'held' AND expires_at <= ${PRESENT})
    OR EXISTS (SELECT 1 FROM holds WHERE expires_at <= ${PRESENT} AND kept_by = ''
      AND resource_id IN (SELECT resource_id FROM event_type_resources WHERE event_type_id = ?1
        UNION ALL SELECT resource_id FROM event_type_units WHERE event_type_id = ?1)))
  THEN (SELECT json_group_array(DISTINCT start_time) FROM waitlist_entries
    WHERE event_type_id = ?1 AND status = 'waiting') ELSE '[]' END`

/** The organization's facts in a schedule: `o` of the event type `e`, in the UTC month that is bound as `month`. */
export function organizationFacts(month: string): string {
  return `o.tier, o.locale, o.timezone AS organization_timezone, o.hours_version, o.suspended_at,
  o.sandbox_now, o.bookings_per_network_hour, o.pending_per_network, o.active_per_email, o.waiting_per_email,
  o.attendees_per_booking,
  (SELECT account_id FROM payment_accounts
    WHERE organization_id = e.organization_id AND charges_enabled AND disconnected_at IS NULL) AS payment_account_id,
  EXISTS (SELECT 1 FROM calendar_connections WHERE organization_id = e.organization_id AND is_test = e.is_test) AS has_calendars,
  coalesce((SELECT bookings FROM booking_quotas WHERE organization_id = e.organization_id AND month = ${month}), 0)
    AS bookings_this_month`
}

/**
 * The part of an event type itself; no row if there is none. The bound values, in order: the event type; the present; the
 * UTC month; the range of instants; the start whose seats are read, or null; the first and the last date whose overrides can
 * matter; the spellings of the address whose bookings are counted, or null; the booking that is rescheduled, or null;
 * whether a deleted event type is read; the instant from which packed times count; the shared version, the version of the
 * hosts and what is read of them that are known, or null.
 */
export const selectSchedule = preparedQuery<
  RawSchedule,
  readonly [
    eventTypeId: string,
    now: number,
    month: string,
    start: number,
    end: number,
    seatsAt: number | null,
    firstDate: string,
    lastDate: string,
    emails: string | null,
    bookingId: string | null,
    isDeletedToo: number,
    base: number,
    shared: number | null,
    hosts: number | null,
    asksFor: string | null,
  ]
>(`SELECT e.*, ${SHARED_VERSION} AS shared_version,
  ${changesSince({ shared: '?13', hosts: '?14', asksFor: '?15' })} AS changes, ${organizationFacts('?3')},
  (${RULES}) AS rules, (${OVERRIDES}) AS overrides, ${AHEAD} AS ahead, ${HELD} AS held, (${KEPT}) AS kept,
  (${SESSIONS}) AS sessions, ${SEATS} AS seats, ${INVITEE_BOOKINGS} AS invitee_bookings, ${BOOKED_STARTS} AS booked_starts,
  ${HELD_STARTS} AS held_starts, (${EXPIRED}) AS expired, (${NEXT_EXPIRY}) AS next_expiry, (${FREED}) AS freed,
  ${WANTED} AS wanted
FROM event_types e JOIN organizations o ON o.id = e.organization_id
WHERE e.id = ?1 AND (e.deleted_at IS NULL OR ?11)`)
