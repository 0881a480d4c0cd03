import { MAX_BUSY_MS, MAX_HOLD_MS } from '../../core/longest-hold.ts'
import { preparedQuery } from '../../platform/db/prepared.ts'
import { COUNTS_UNTIL, WAITS_UNTIL } from '../../platform/db/waits-until.ts'

/*
 * An agenda is read in two round trips: whom and what it is about, and then what they have in the range. Both have the same
 * statements each time, along indexes of the range. Lists are bound as JSON. Filters are ids or null.
 */

type Asked = readonly [
  organizationId: string,
  isTest: number,
  memberId: string | null,
  eventTypeId: string | null,
  resourceId: string | null,
]

const IS_WHOLE = '?3 IS NULL AND ?4 IS NULL AND ?5 IS NULL'

export type RawAgendaOrganization = {
  readonly timezone: string
  readonly default_calendar: string | null
  /** The member whose calendars close event types without hosts. */
  readonly owner: string | null
}

export const selectOrganization = preparedQuery<RawAgendaOrganization, readonly [organizationId: string]>(
  `SELECT timezone, default_calendar_connection_id AS default_calendar,
    (SELECT id FROM members WHERE organization_id = o.id AND user_id = o.owner_user_id) AS owner
  FROM organizations o WHERE id = ?1`,
)

export type RawAgendaEventType = {
  readonly id: string
  readonly is_deleted: 0 | 1
  readonly active: 0 | 1
  readonly timezone: string
  readonly hours_from: 'own' | 'hosts'
  readonly schedule_id: string | null
  readonly requires: string
}

/** At most five parts of a compound query, each for one of the filters. */
const EVENT_TYPES = `asked(id) AS MATERIALIZED (SELECT ?4 WHERE ?4 IS NOT NULL
  UNION ALL SELECT event_type_id FROM event_type_hosts WHERE ?4 IS NULL AND member_id = ?3
  UNION ALL SELECT event_type_id FROM event_type_rooms WHERE ?4 IS NULL AND ?3 IS NULL AND resource_id = ?5
  UNION ALL SELECT id FROM event_types WHERE ${IS_WHOLE} AND organization_id = ?1 AND is_test = ?2)`

const OF_TENANT = `asked CROSS JOIN event_types e ON e.id = asked.id AND e.organization_id = ?1 AND e.is_test = ?2`

/** With those that were deleted, whose bookings are still shown. */
export const selectEventTypes = preparedQuery<RawAgendaEventType, Asked>(
  `WITH ${EVENT_TYPES} SELECT e.id, e.deleted_at IS NOT NULL AS is_deleted, e.active, e.timezone, e.hours_from,
    coalesce(e.schedule_id, nullif(e.default_schedule_id, '')) AS schedule_id,
    e.requires FROM ${OF_TENANT}`,
)

export type RawAgendaHost = {
  readonly event_type_id: string
  readonly member_id: string
  readonly schedule_id: string | null
}

const USUAL_SCHEDULE = (memberId: string) =>
  `(SELECT id FROM schedules WHERE member_id = ${memberId} AND is_test = ?2 AND is_default = 1)`

export const selectHosts = preparedQuery<RawAgendaHost, Asked>(
  `WITH ${EVENT_TYPES} SELECT h.event_type_id, h.member_id,
    coalesce(h.schedule_id, ${USUAL_SCHEDULE('h.member_id')}) AS schedule_id
  FROM ${OF_TENANT} CROSS JOIN event_type_hosts h ON h.event_type_id = e.id`,
)

export type RawAgendaMember = { readonly id: string; readonly schedule_id: string | null }

/** The member that is asked for, or all if nothing is. */
export const selectMembers = preparedQuery<RawAgendaMember, Asked>(
  `SELECT m.id, ${USUAL_SCHEDULE('m.id')} AS schedule_id FROM members m
  WHERE m.id IN (SELECT ?3 UNION ALL SELECT id FROM members WHERE ${IS_WHOLE} AND organization_id = ?1)
    AND +m.organization_id = ?1`,
)

/** The room that is asked for, or all if nothing is. */
export const selectRooms = preparedQuery<{ readonly id: string }, Asked>(
  `SELECT r.id FROM resources r
  WHERE r.id IN (SELECT ?5 UNION ALL SELECT id FROM resources WHERE ${IS_WHOLE} AND organization_id = ?1 AND is_test = ?2)
    AND +r.organization_id = ?1 AND +r.is_test = ?2`,
)

/** What holds time of these resources in the range; and if there is a second list, of one of those, too. */
const HELD = `taking AS MATERIALIZED (SELECT DISTINCT h.holder_id AS id FROM json_each(?4) one CROSS JOIN holds h ON h.resource_id = one.value AND h.kept_by = ''
  AND h.starts_at > ?1 - ${MAX_HOLD_MS} AND h.starts_at < ?2 AND h.ends_at > ?1
  AND (?5 IS NULL OR EXISTS (SELECT 1 FROM holds other INDEXED BY holds_holder
    WHERE other.holder_id = h.holder_id AND other.resource_id IN (SELECT value FROM json_each(?5)))))`

const inRange = (alias: string) =>
  `${alias}.start_time > ?1 - ${MAX_HOLD_MS} AND ${alias}.start_time < ?2 AND ${alias}.end_time > ?1`

export type RawAgendaBooking = {
  readonly id: string
  readonly event_type_id: string
  readonly session_id: string | null
  readonly member_id: string | null
  readonly status: 'pending_approval' | 'pending_payment' | 'confirmed' | 'rescheduled'
  readonly start_time: number
  readonly end_time: number
  /** JSON: the hosts besides that member. */
  readonly co_hosts: string | null
  readonly invitee_name: string
  readonly waits_until: number | null
}

const BOOKING = `b.id AS id, b.event_type_id, b.session_id, b.assigned_host_id AS member_id, b.status, b.start_time AS start_time, b.end_time,
  b.co_hosts, b.invitee_name, ${WAITS_UNTIL} AS waits_until`
const IS_SHOWN = `${inRange('b')} AND ${COUNTS_UNTIL} > ?3`
const BY_START = 'ORDER BY start_time, id'

type Range = readonly [start: number, end: number, now: number]
type Held = readonly [...Range, resourceIds: string, alsoOf: string | null, eventTypeId: string | null]

export const selectBookings = preparedQuery<RawAgendaBooking, readonly [...Range, tenant: string]>(
  `SELECT ${BOOKING} FROM bookings b WHERE b.organization_id || '/' || b.is_test = ?4
    AND b.status IN ('pending_approval', 'pending_payment', 'confirmed', 'rescheduled') AND ${IS_SHOWN} ${BY_START}`,
)

export const selectBookingsOfEventType = preparedQuery<
  RawAgendaBooking,
  readonly [...Range, eventTypeId: string]
>(
  `SELECT ${BOOKING} FROM bookings b WHERE b.event_type_id = ?4 AND b.status <> 'cancelled' AND ${IS_SHOWN} ${BY_START}`,
)

const OF_EVENT_TYPE = (alias: string) => `(?6 IS NULL OR +${alias}.event_type_id = ?6)`

const HELD_BOOKING = `+b.status <> 'cancelled' AND ${OF_EVENT_TYPE('b')} AND ${IS_SHOWN}`

export const selectHeldBookings = preparedQuery<RawAgendaBooking, Held>(
  `WITH ${HELD} SELECT ${BOOKING} FROM taking CROSS JOIN bookings b ON b.id = taking.id
    WHERE b.session_id IS NULL AND ${HELD_BOOKING}
  UNION ALL SELECT ${BOOKING} FROM taking CROSS JOIN bookings b ON b.session_id = taking.id WHERE ${HELD_BOOKING} ${BY_START}`,
)

export type RawAgendaSession = {
  readonly id: string
  readonly event_type_id: string
  readonly member_id: string | null
  readonly start_time: number
  readonly end_time: number
  readonly co_hosts: string | null
  readonly seats: number
  readonly taken: number
}

/** Expired holds and waits take no seats. */
const SESSION = `s.id AS id, s.event_type_id, s.assigned_host ->> 'member_id' AS member_id, s.start_time AS start_time, s.end_time,
  s.co_hosts, (SELECT max_attendees FROM event_types WHERE id = s.event_type_id) AS seats,
  s.seats_taken - (SELECT coalesce(sum(seats), 0) FROM slot_holds
    WHERE session_id = s.id AND status = 'held' AND expires_at <= ?3) AS taken`

export const selectSessions = preparedQuery<RawAgendaSession, readonly [...Range, eventTypeIds: string]>(
  `SELECT ${SESSION} FROM json_each(?4) asked CROSS JOIN sessions s ON s.event_type_id = asked.value AND ${inRange('s')}
  ${BY_START}`,
)

export const selectHeldSessions = preparedQuery<RawAgendaSession, Held>(
  `WITH ${HELD} SELECT ${SESSION} FROM taking CROSS JOIN sessions s ON s.id = taking.id AND ${OF_EVENT_TYPE('s')}
    AND s.start_time < ?2 AND s.end_time > ?1 ${BY_START}`,
)

export type RawAgendaHold = {
  readonly id: string
  readonly event_type_id: string
  readonly session_id: string | null
  readonly member_id: string | null
  readonly start_time: number
  readonly end_time: number
  readonly co_hosts: string | null
  readonly seats: number
  readonly expires_at: number
}

/** A held seat has the hosts of its session. A hold keeps members who were removed since, and they are left out here. */
const hostOfHold = (ofSession: string, ofHold: string) =>
  `CASE WHEN w.session_id IS NULL THEN (${ofHold}) ELSE (SELECT ${ofSession} FROM sessions WHERE id = w.session_id) END`
const HOLD = `w.id AS id, w.event_type_id, w.session_id,
  ${hostOfHold("assigned_host ->> 'member_id'", 'SELECT id FROM members WHERE id = w.assigned_host_id')} AS member_id,
  w.start_time AS start_time, w.end_time,
  ${hostOfHold(
    'co_hosts',
    `SELECT nullif(json_group_array(json(one.value)), '[]') FROM json_each(w.co_hosts) one
    CROSS JOIN members m ON m.id = one.value ->> 'member_id'`,
  )} AS co_hosts, w.seats, w.expires_at`
const IS_HELD = `w.status = 'held' AND w.expires_at > ?3 AND +w.purpose = 'hold' AND w.start_time < ?2 AND w.end_time > ?1`

/** Nothing that expires after `until` is a hold: bookings that wait for days have the same rows. */
export const selectSlotHolds = preparedQuery<
  RawAgendaHold,
  readonly [...Range, eventTypeIds: string, until: number]
>(
  `SELECT ${HOLD} FROM json_each(?4) asked CROSS JOIN slot_holds w ON w.event_type_id = asked.value AND w.expires_at <= ?5
    AND ${IS_HELD} ${BY_START}`,
)

export const selectHeldSlotHolds = preparedQuery<RawAgendaHold, Held>(
  `WITH ${HELD} SELECT ${HOLD} FROM taking CROSS JOIN slot_holds w ON w.id = taking.id AND ${OF_EVENT_TYPE('w')} AND ${IS_HELD}
  UNION ALL SELECT ${HOLD} FROM taking CROSS JOIN slot_holds w ON w.session_id = taking.id AND ${OF_EVENT_TYPE('w')}
    AND ${IS_HELD} ${BY_START}`,
)

export type RawAgendaTimeOff = {
  readonly id: string
  /** The organization's id if everybody is off. */
  readonly member_id: string
  readonly resource_id: string | null
  readonly starts_at: number
  readonly ends_at: number
  readonly reason: string | null
}

export const selectTimeOff = preparedQuery<
  RawAgendaTimeOff,
  readonly [start: number, end: number, whose: string, isTest: number]
>(`SELECT t.id, t.member_id, t.resource_id, t.starts_at, t.ends_at, t.reason FROM json_each(?3) asked
  CROSS JOIN time_off t ON t.member_id = asked.value AND t.is_test = ?4 AND t.ends_at > ?1 AND t.starts_at < ?2
  ORDER BY t.starts_at, t.id`)

export type RawAgendaBusy = {
  readonly connection_id: string
  readonly member_id: string | null
  readonly resource_id: string | null
  readonly starts_at: number
  readonly ends_at: number
}

/** Of calendars of these members and rooms, of everybody, and of event types without hosts. */
export const selectBusy = preparedQuery<
  RawAgendaBusy,
  readonly [
    start: number,
    end: number,
    organizationId: string,
    isTest: number,
    memberIds: string,
    resourceIds: string,
    connectionId: string | null,
  ]
>(`SELECT DISTINCT c.id AS connection_id, CASE WHEN c.resource_id IS NULL AND NOT c.everybody THEN c.member_id END AS member_id,
  c.resource_id, b.starts_at, b.ends_at
  FROM calendar_connections c CROSS JOIN calendar_busy_times b
    ON b.connection_id = c.id AND b.starts_at > ?1 - ${MAX_BUSY_MS} AND b.starts_at < ?2 AND b.ends_at > ?1
  WHERE c.organization_id = ?3 AND c.is_test = ?4 AND c.checks_busy AND (c.everybody OR c.id = ?7
    OR CASE WHEN c.resource_id IS NULL THEN c.member_id IN (SELECT value FROM json_each(?5))
      ELSE c.resource_id IN (SELECT value FROM json_each(?6)) END)
  ORDER BY b.starts_at, c.id`)

export type RawAgendaSchedule = {
  readonly schedule_id: string
  readonly schedule_zone: string
  readonly schedule_rules: string
  readonly schedule_overrides: string
}

export const selectSchedules = preparedQuery<RawAgendaSchedule, readonly [ids: string]>(
  `SELECT s.id AS schedule_id, s.timezone AS schedule_zone, s.rules AS schedule_rules, s.overrides AS schedule_overrides
  FROM json_each(?1) asked CROSS JOIN schedules s ON s.id = asked.value`,
)

export type RawOwnHours = {
  readonly event_type_id: string
  readonly rules: string
  readonly overrides: string
}

/** The hours of event types without a schedule. */
export const selectOwnHours = preparedQuery<
  RawOwnHours,
  readonly [eventTypeIds: string, firstDate: string, lastDate: string]
>(`SELECT asked.value AS event_type_id, (
    SELECT json_group_array(json_array(day_of_week, start_time, end_time)) FROM availability_rules
    WHERE event_type_id = asked.value) AS rules, (
    SELECT json_group_array(json_array(date, json(intervals))) FROM availability_overrides
    WHERE event_type_id = asked.value AND date >= ?2 AND date <= ?3) AS overrides
  FROM json_each(?1) asked`)
