import { MAX_BUSY_MS, MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { HOUR_MS } from '../../../core/time-units.ts'
import { preparedQuery } from '../../../platform/db/prepared.ts'
import { columnList } from '../../../platform/db/row-reader.ts'
import { calendarConnections } from '../../../platform/db/schema/calendars.ts'
import { CONNECTION_FACTS } from '../calendar.ts'
import { changesSince, HAS_HOURS, LIMIT_MARGIN_MS, OWN_SCHEDULE, PRESENT, REACH } from '../queries.ts'
import { type Around, busyOf, expiredOf, foreignBusyOf, heldOf, heldOrPackedOf } from '../taken/queries.ts'
import { CHANGE_LENGTH } from '../version.ts'
import { unitNumbers } from './unit-numbers.ts'

/*
 * What an event type shares with others: its hosts, the calendars that it checks, the rooms and equipment that it requires,
 * with their units and feeds, and the schedules of all of them. Each is a row of its own, so that no value grows with a team.
 */

/** Lists are JSON; taken times are packed. */
export type RawResource = {
  readonly kind: 'host' | 'calendar' | 'closing' | 'schedule' | 'organization' | 'room' | 'unit' | 'feed'
  readonly id: string
  readonly facts: string
  /** Time off of a host, a room or everybody, overrides of a schedule. */
  readonly dated: string
  readonly held: string | null
  readonly busy: string | null
  /** Expired holds that still exist; null without any. */
  readonly expired: string | null
}

/** The calendars of an event type without hosts: the default of its organization, and its owner's, but none of everybody. */
export function ownCalendars({ organization, isTest }: { organization: string; isTest: string }): string {
  return `SELECT id FROM calendar_connections
    WHERE id = ${organization}.default_calendar_connection_id AND organization_id = ${organization}.id AND is_test = ${isTest} AND NOT everybody
  UNION SELECT c.id FROM members m JOIN calendar_connections c ON c.member_id = m.id AND c.is_test = ${isTest} AND NOT c.everybody
    WHERE m.organization_id = ${organization}.id AND m.user_id = ${organization}.owner_user_id`
}

/** The event type with what its organization says about it. */
function askedAbout(more = ''): string {
  return `asked AS MATERIALIZED (
  SELECT e.id AS event_type_id, e.is_test, ${OWN_SCHEDULE} AS schedule_id, e.requires <> '[]' AS has_rooms, ${HAS_HOURS} AS has_hours, ${REACH} AS reach, ${PRESENT} AS present,
    o.id, o.owner_user_id, o.default_calendar_connection_id${more}
  FROM event_types e JOIN organizations o ON o.id = e.organization_id WHERE e.id = ?1)`
}

/** Which hosts `h` and rooms `required` of the event type are read, and what is read of the time that is taken of them. */
type Of = {
  readonly hosts: string
  readonly rooms: string
  /** Narrows where taken times are looked for. */
  readonly near: (around: Around) => Around
  readonly held: typeof heldOf
  readonly hasBusy: string
  /** Narrows which calendars of everybody are read. */
  readonly changed: string
}

const ALL: Of = {
  hosts: 'asked CROSS JOIN event_type_hosts h ON h.event_type_id = asked.event_type_id',
  rooms:
    'asked CROSS JOIN event_type_rooms required ON asked.has_rooms AND required.event_type_id = asked.event_type_id',
  near: (around) => around,
  held: heldOrPackedOf,
  hasBusy: '1',
  changed: '',
}

/** A hold lasts twelve hours at most, and its meeting begins in it. */
const CHANGED: Of = {
  hosts: `asked CROSS JOIN changed CROSS JOIN event_type_hosts h INDEXED BY event_type_hosts_mark
    ON h.event_type_id = asked.event_type_id AND substr(h.member_id, -8) = changed.mark`,
  rooms: `asked CROSS JOIN changed CROSS JOIN event_type_rooms required ON asked.has_rooms
    AND required.event_type_id = asked.event_type_id AND substr(required.resource_id, -8) = changed.mark`,
  near: (around) => ({
    ...around,
    from: `max(${around.from}, changed.first * ${HOUR_MS} - ${MAX_HOLD_MS})`,
    until: `min(${around.until}, (changed.last + 1) * ${HOUR_MS})`,
  }),
  held: heldOf,
  hasBusy: 'changed.is_more',
  changed: ' AND substr(c.member_id, -8) IN (SELECT mark FROM changed WHERE is_more)',
}

/** The members who changed since a known version, each once; none if that may be everybody. */
const CHANGED_MEMBERS = `listed AS (
  SELECT substr(changes, 1, ${CHANGE_LENGTH}) AS change, substr(changes, ${CHANGE_LENGTH + 1}) AS others
  FROM asked WHERE changes <> ''
  UNION ALL SELECT substr(others, 1, ${CHANGE_LENGTH}), substr(others, ${CHANGE_LENGTH + 1}) FROM listed WHERE others <> ''),
changed AS MATERIALIZED (
  SELECT substr(change, 1, 8) AS mark, min(hour) AS first, max(iif(change LIKE '%+', 99999999, hour)) AS last,
    count(*) > count(nullif(hour, 0)) AS is_more
  FROM (SELECT change, CASE WHEN change LIKE '%+' THEN 0 WHEN change NOT LIKE '%-' THEN CAST(substr(change, 9) AS INTEGER) END
    AS hour FROM listed)
  GROUP BY 1)`

/** The schedule of the host `h`: the event type's choice, or the member's default in its mode. */
const SCHEDULE_OF_HOST = `CASE WHEN asked.has_hours THEN coalesce(h.schedule_id, (SELECT id FROM schedules
  WHERE member_id = h.member_id AND is_test = asked.is_test AND is_default = 1)) END`

const HELD_FROM = `?3 - ${2 * MAX_HOLD_MS} - asked.reach`
const HELD_UNTIL = `?4 + ${MAX_HOLD_MS} + asked.reach`
const NEAR: Around = { from: HELD_FROM, until: HELD_UNTIL, present: 'asked.present', base: '?7' }
/** The holds of hosts with limits count even if they are not near. */
const IS_LIMITED =
  'asked.has_hours AND (m.max_bookings_per_day IS NOT NULL OR m.max_bookings_per_week IS NOT NULL)'
const NEAR_HOST: Around = {
  ...NEAR,
  from: `iif(${IS_LIMITED}, ?3 - ${LIMIT_MARGIN_MS}, ${HELD_FROM})`,
  until: `iif(${IS_LIMITED}, ?4 + ${LIMIT_MARGIN_MS}, ${HELD_UNTIL})`,
}

const BUSY_AROUND = { from: `?3 - ${MAX_HOLD_MS + MAX_BUSY_MS} - asked.reach`, until: HELD_UNTIL }

const timeOffOf = (member: string) => `time_off.member_id = ${member} AND time_off.is_test = asked.is_test
    AND time_off.ends_at > ?3 - asked.reach AND time_off.starts_at < ${HELD_UNTIL}`
const TIME_OFF = `CASE WHEN asked.has_hours THEN (
  SELECT json_group_array(json_array(id, starts_at, ends_at)) FROM time_off WHERE ${timeOffOf('h.member_id')}) ELSE '[]' END`

const hostsOf = ({
  hosts,
  near,
  held,
}: Of) => `SELECT 'host' AS kind, h.resource_id AS id, json_array(h.member_id, h.priority, h.weight,
    h.last_assignment, h.created_at, h.id, m.user_id, m.user_email, ${SCHEDULE_OF_HOST}, m.timezone,
    m.max_bookings_per_day, m.max_bookings_per_week, m.name, h.part) AS facts,
  ${TIME_OFF} AS dated, ${held('h.resource_id', near(NEAR_HOST))} AS held,
  NULL AS busy, ${expiredOf('h.resource_id', 'asked.present')} AS expired
FROM ${hosts} CROSS JOIN members m ON m.id = h.member_id`

const calendar = ({ near, held, hasBusy }: Of) => `SELECT 'calendar', c.id,
  json_array(${columnList(calendarConnections, 'c', CONNECTION_FACTS)}, c.id IS asked.default_calendar_connection_id), '[]',
  ${held('c.id', near(NEAR))},
  CASE WHEN ${hasBusy} THEN ${busyOf(BUSY_AROUND)} END, ${expiredOf('c.id', 'asked.present')}`

const calendarsOf = (of: Of) => `${calendar(of)}
FROM ${of.hosts} CROSS JOIN calendar_connections c ON c.member_id = h.member_id AND c.is_test = asked.is_test AND NOT c.everybody`

const CALENDARS_WITHOUT_HOSTS = `${calendar({ ...ALL, held: heldOf })}
FROM asked CROSS JOIN calendar_connections c ON c.id IN (${ownCalendars({ organization: 'asked', isTest: 'asked.is_test' })})
WHERE NOT EXISTS (SELECT 1 FROM event_type_hosts WHERE event_type_id = asked.event_type_id)`

/** When everybody is off, an event type without hosts is closed too. */
const CLOSED_WITHOUT_HOSTS = `SELECT 'organization', asked.id, '[]', json_group_array(json_array(time_off.id, time_off.starts_at, time_off.ends_at)),
  NULL, NULL, NULL
FROM asked CROSS JOIN time_off ON ${timeOffOf('asked.id')}
WHERE asked.has_hours AND NOT EXISTS (SELECT 1 FROM event_type_hosts WHERE event_type_id = asked.event_type_id)
GROUP BY asked.id`

/** The calendars of everybody: of all that changed, all of it is read again. */
const closingOf = ({ changed }: Of) => `SELECT 'closing', c.id,
  json_array(${columnList(calendarConnections, 'c', CONNECTION_FACTS)}), '[]', NULL, ${foreignBusyOf(BUSY_AROUND)}, NULL
FROM asked CROSS JOIN calendar_connections c
  ON c.organization_id = asked.id AND c.is_test = asked.is_test AND c.everybody${changed}`

const roomsOf = ({
  rooms,
}: Of) => `SELECT 'room' AS kind, r.id AS id, json_array(r.name, r.quantity, r.active, r.schedule_id) AS facts,
  CASE WHEN asked.has_hours THEN (
    SELECT json_group_array(json_array(id, starts_at, ends_at)) FROM time_off WHERE ${timeOffOf('r.id')}) ELSE '[]' END AS dated,
  NULL AS held, NULL AS busy, NULL AS expired
FROM ${rooms} CROSS JOIN resources r ON r.id = required.resource_id`

const UNIT_ID = `required.resource_id || '#' || unit.value`
const unitsOf = ({
  rooms,
  near,
}: Of) => `SELECT 'unit', ${UNIT_ID}, '[]', '[]', ${heldOf(UNIT_ID, near(NEAR))}, NULL,
  ${expiredOf(UNIT_ID, 'asked.present')}
FROM ${rooms} CROSS JOIN resources r ON r.id = required.resource_id CROSS JOIN json_each(${unitNumbers('r.quantity')}) unit`

const feedsOf = ({ rooms, hasBusy }: Of) => `SELECT 'feed', c.id,
  json_array(${columnList(calendarConnections, 'c', CONNECTION_FACTS)}, c.resource_id), '[]', NULL,
  CASE WHEN ${hasBusy} THEN ${busyOf(BUSY_AROUND)} END, NULL
FROM ${rooms} CROSS JOIN calendar_connections c ON c.resource_id = required.resource_id`

const schedulesOf = ({
  hosts,
  rooms,
}: Of) => `SELECT 'schedule', s.id, json_array(s.timezone, json(s.rules)), (
    SELECT json_group_array(json_array(day.value ->> 'date', json(day.value -> 'intervals'))) FROM json_each(s.overrides) day
    WHERE day.value ->> 'date' >= ?5 AND day.value ->> 'date' <= ?6), NULL, NULL, NULL
FROM asked CROSS JOIN schedules s ON s.id IN (SELECT asked.schedule_id
  UNION SELECT ${SCHEDULE_OF_HOST} FROM ${hosts}
  UNION SELECT r.schedule_id FROM ${rooms} CROSS JOIN resources r ON r.id = required.resource_id)
WHERE asked.has_hours`

type Arguments = readonly [
  eventTypeId: string,
  now: number,
  start: number,
  end: number,
  firstDate: string,
  lastDate: string,
  base: number,
]

/** D1 allows five parts of a compound query, so some are put together first. */
const compound = (parts: readonly string[]) => parts.join('\nUNION ALL ')
const together = (...parts: string[]) => `SELECT * FROM (${compound(parts)})`
const roomParts = (of: Of) => together(roomsOf(of), unitsOf(of), feedsOf(of))

/**
 * The resources of an event type around a range. The bound values, in order: the event type; the present; the range of
 * instants; the first and the last date whose overrides can matter; the instant from which packed times count.
 */
export const selectResources = preparedQuery<RawResource, Arguments>(
  `WITH ${askedAbout()} ${compound([hostsOf(ALL), calendarsOf(ALL), together(CALENDARS_WITHOUT_HOSTS, CLOSED_WITHOUT_HOSTS, closingOf(ALL)), schedulesOf(ALL), roomParts(ALL)])}`,
)

/**
 * Those of hosts and rooms that changed since a known version, with what changed of the time that is taken of them, and the event type's
 * own schedule. The bound values are followed by the
 * shared version, the version of the hosts and what is read of them that are known.
 */
export const selectChangedResources = preparedQuery<
  RawResource,
  readonly [...Arguments, shared: number | null, hosts: number | null, asksFor: string | null]
>(`WITH RECURSIVE ${askedAbout(`, ${changesSince({ shared: '?8', hosts: '?9', asksFor: '?10' })} AS changes`)},
${CHANGED_MEMBERS} ${compound([hostsOf(CHANGED), calendarsOf(CHANGED), closingOf(CHANGED), schedulesOf(CHANGED), roomParts(CHANGED)])}`)
