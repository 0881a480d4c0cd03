import { expect } from 'vitest'
import { call } from '../app.ts'
import { dayFromNow, iso, openStarts } from '../factories.ts'
import { unsoundPacks } from '../packed.ts'
import {
  miscounted,
  mostOfADay,
  overlappingMeetings,
  unsoundDeadlines,
  unsoundHolds,
  unsoundSeats,
} from './sound.ts'
import {
  DAY,
  HALF_HOUR_MS,
  HIGHEST_CAP,
  HOURS,
  MINUTE_MS,
  MOST_SEATS,
  type Row,
  rows,
  STARTS,
} from './world.ts'

/** Nobody in two places, no hold without a booking, no booking without its hold, at its time, and packed as it is. */
export async function auditHolds() {
  expect(await unsoundHolds(rows)).toEqual([])
  expect(await unsoundPacks(rows)).toEqual([])
}

/** What is held ends when what holds it does, and that of a session to which nobody comes for sure with the last of them. */
export async function auditDeadlines() {
  expect(await unsoundDeadlines(rows)).toEqual([])
}

/** Whoever still holds something gives it back: what is left is bookings. */
export async function releaseAll(key: string) {
  for (const { id } of await rows("SELECT id FROM slot_holds WHERE status = 'held' AND purpose = 'hold'")) {
    expect((await call('POST', `/v1/holds/${id}/release`, { key })).status).toBe(200)
  }
}

/** Whoever hosted it when each was booked, a meeting of all hosts is never two at a time. */
export async function auditMeetings(id: string) {
  expect(await overlappingMeetings(rows, id)).toEqual([])
}

export async function auditSeatsAndCaps(types: readonly string[]) {
  expect(await unsoundSeats(rows, MOST_SEATS)).toEqual([])
  for (const id of types) expect(await miscounted(rows, id)).toEqual([])
  expect(await mostOfADay(rows, types[4]!)).toBeLessThanOrEqual(HIGHEST_CAP)
}

/** Of the room that event types share. */
const UNITS = [1, 2]

/** The open starts as plain reading of the rows has them: every other start of the grid is taken. */
export async function openByRows(id: string): Promise<string[]> {
  const [type] = await rows('SELECT * FROM event_types WHERE id = ?', id)
  const hosts = await rows(
    'SELECT member_id, resource_id, part FROM event_type_hosts WHERE event_type_id = ?',
    id,
  )
  const calendars = await rows('SELECT id, member_id FROM calendar_connections')
  const held = await rows('SELECT * FROM holds')
  const sessions = await rows('SELECT * FROM sessions WHERE event_type_id = ?', id)
  const [counted] = await rows(
    `SELECT count(*) AS n FROM bookings WHERE event_type_id = ?1 AND status <> 'cancelled'
     AND (?2 <> 'daily' OR (start_time >= ?3 AND start_time < ?3 + 86400000))`,
    id,
    type!.booking_cap_period,
    DAY,
  )
  const isCapped = type!.booking_cap !== null && counted!.n >= type!.booking_cap
  return STARTS.filter((start) => {
    if (isCapped) return false
    const session = type!.max_attendees > 1 && sessions.find((one) => one.start_time === start)
    if (session) return session.seats_taken < type!.max_attendees
    const from = start - type!.buffer_before_minutes * MINUTE_MS
    const to = start + HALF_HOUR_MS + type!.buffer_after_minutes * MINUTE_MS
    const isFree = (resource: string, keeper = '') =>
      !held.some(
        (one) =>
          one.resource_id === resource && one.kept_by === keeper && one.starts_at < to && from < one.ends_at,
      )
    const required = JSON.parse(type!.requires)
      .flatMap(({ resource_ids }: { resource_ids: string[] }) => resource_ids)
      .every((room: string) => UNITS.some((unit) => isFree(`${room}#${unit}`)))
    if (!required) return false
    const needsOf = ({ member_id, resource_id }: Row): string[] => [
      resource_id,
      ...calendars.filter((one) => one.member_id === member_id).map((one) => one.id),
    ]
    if (type!.assignment_strategy !== 'none') {
      const free = hosts.filter((host) => needsOf(host).every((one) => isFree(one)))
      const [pool, required] = ['pool', 'required'].map((part) => hosts.filter((host) => host.part === part))
      const size = pool!.length === 0 && required!.length > 0 ? 0 : type!.pool_size
      const isStaffed = free.filter((host) => pool!.includes(host)).length >= size
      return isFree(id) && isStaffed && required!.every((host) => free.includes(host))
    }
    const needs = hosts.map(needsOf)
    const kept = held.filter(({ kept_by }) => kept_by === id).map(({ resource_id }) => resource_id)
    const everybodys = hosts.length === 0 ? calendars.map((one) => one.id) : []
    return (
      [id, ...needs.flat(), ...everybodys].every((one) => isFree(one)) && kept.every((one) => isFree(one, id))
    )
  }).map(iso)
}

/** What waits is what has somebody to wait for it: a request its decision, and an unpaid booking its payment. */
export async function auditWaits() {
  const unlike = await rows(
    `SELECT b.id, b.status, w.purpose, w.status AS wait FROM bookings b
     LEFT JOIN slot_holds w ON w.booking_id = b.id AND w.purpose <> 'hold' AND w.status IN ('held', 'expired')
     WHERE CASE b.status WHEN 'pending_approval' THEN 'approval held' WHEN 'pending_payment' THEN 'payment held' END
       IS NOT w.purpose || ' ' || w.status`,
  )
  expect(unlike).toEqual([])
}

/** The place of what happened among all that was committed, in its order: requests may wait for long before they are decided. */
function committed(id: string, action: string, and = 'TRUE'): string {
  return `(SELECT max(at) FROM commits WHERE resource_id = ${id} AND action = '${action}' AND ${and})`
}

/** When the time of the booking `b` was given up: with it, or before, where nobody decided or paid in time. */
const GIVEN_UP = `coalesce(${committed('b.id', 'booking.over')}, ${committed('b.id', 'booking.cancelled')})`

/**
 * Nobody waits for a start that is open and was given up by somebody while they waited, here or, of a host or on a
 * calendar that they share, in another event type. A seat of a session that goes on there gives up nothing of these.
 */
export async function auditWaiting(id: string, open: readonly string[], isHosted: boolean) {
  const passedOver = await rows(
    `SELECT w.id, w.start_time, b.start_time AS freed FROM waitlist_entries w
     JOIN json_each(?2) AS open
     JOIN event_types e ON e.id = w.event_type_id
     JOIN bookings b ON b.start_time < open.value + 1800000 + e.buffer_after_minutes * 60000
       AND b.end_time > open.value - e.buffer_before_minutes * 60000
     WHERE w.event_type_id = ?1 AND w.status = 'waiting' AND coalesce(w.start_time, open.value) = open.value
       AND ${committed('w.id', 'waitlist.joined')} < ${GIVEN_UP}
       AND (b.event_type_id = ?1 OR (NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = b.session_id)
         AND ((b.calendar_connection_id IS NOT NULL AND ${isHosted ? 'FALSE' : 'TRUE'})
           OR EXISTS (SELECT 1 FROM event_type_rooms room JOIN json_each(b.resources) unit ON unit.value ->> 'id' = room.resource_id
             WHERE room.event_type_id = ?1)
           OR EXISTS (SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = ?1
             AND h.member_id IN (SELECT b.assigned_host_id UNION SELECT value ->> 'member_id' FROM json_each(b.co_hosts)
               UNION SELECT member_id FROM calendar_connections c WHERE c.id = b.calendar_connection_id)
             AND ${committed('?1', 'host.added', "changes ->> 'member_id' = h.member_id")} < ${GIVEN_UP}))))`,
    id,
    JSON.stringify(open.map((start) => Date.parse(start))),
  )
  expect(passedOver).toEqual([])
  const promoted = await rows(
    `SELECT w.id, b.id AS booking, b.invitee_email = w.invitee_email AS is_same FROM waitlist_entries w
     LEFT JOIN bookings b ON b.id = w.promoted_booking_id WHERE w.event_type_id = ? AND w.status = 'promoted'`,
    id,
  )
  for (const { booking, is_same } of promoted) expect([booking === null, is_same]).toEqual([false, 1])
  return promoted.length
}

/** Whatever was closed for a moment is new time: nobody waits any longer for what is open then. */
export async function auditReopening(id: string, key: string) {
  for (const rules of [[], HOURS]) {
    await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules } })
  }
  const open = new Set(await openStarts(id, DAY))
  const left = await rows(
    "SELECT start_time FROM waitlist_entries WHERE event_type_id = ? AND status = 'waiting'",
    id,
  )
  expect(left.filter(({ start_time }) => start_time !== null && open.has(iso(start_time)))).toEqual([])
  const isAnyOpen = open.size > 0 || (await openStarts(id, dayFromNow(4), dayFromNow(10))).length > 0
  if (isAnyOpen) expect(left.filter(({ start_time }) => start_time === null)).toEqual([])
}
