import { expect } from 'vitest'
import { call } from '../app.ts'
import { dayFromNow, iso, openStarts } from '../factories.ts'
import { DAY, HALF_HOUR_MS, HIGHEST_CAP, HOURS, MINUTE_MS, MOST_SEATS, rows, STARTS } from './world.ts'

/** Nobody in two places, no hold without a booking, no booking without its hold, at its time. */
export async function auditHolds() {
  const overlaps = await rows(
    `SELECT a.* FROM holds a JOIN holds b ON a.resource_id = b.resource_id AND a.kept_by = b.kept_by AND a.starts_at < b.starts_at
     AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at`,
  )
  expect(overlaps).toEqual([])
  const holders = await rows(
    `SELECT coalesce(b.session_id, b.id) AS holder, b.start_time, b.end_time, e.buffer_before_minutes AS before_min,
       e.buffer_after_minutes AS after_min, b.assigned_host_id, b.event_type_id, b.calendar_connection_id,
       (SELECT json_group_array(json_object('from', starts_at, 'to', ends_at, 'on', resource_id))
         FROM holds WHERE holder_id = coalesce(b.session_id, b.id)) AS held
     FROM bookings b JOIN event_types e ON e.id = b.event_type_id
     WHERE b.status <> 'cancelled'
     UNION ALL SELECT coalesce(w.session_id, w.id), w.start_time, w.end_time, e.buffer_before_minutes, e.buffer_after_minutes,
       w.assigned_host_id, w.event_type_id, w.calendar_connection_id,
       (SELECT json_group_array(json_object('from', starts_at, 'to', ends_at, 'on', resource_id))
         FROM holds WHERE holder_id = coalesce(w.session_id, w.id))
     FROM slot_holds w JOIN event_types e ON e.id = w.event_type_id WHERE w.status = 'held' AND w.purpose = 'hold'`,
  )
  for (const one of holders) {
    const held: { from: number; to: number; on: string }[] = JSON.parse(one.held)
    expect(held.length).toBeGreaterThan(0)
    const resources = held.map(({ on }) => on)
    expect(resources).toContain(one.assigned_host_id ?? one.event_type_id)
    if (one.calendar_connection_id) expect(resources).toContain(one.calendar_connection_id)
    for (const { from, to } of held) {
      expect([from, to]).toEqual([
        one.start_time - one.before_min * MINUTE_MS,
        one.end_time + one.after_min * MINUTE_MS,
      ])
    }
  }
  const all = await rows('SELECT DISTINCT holder_id FROM holds')
  expect(new Set(all.map(({ holder_id }) => holder_id))).toEqual(new Set(holders.map(({ holder }) => holder)))
}

/** What is held ends when what holds it does, and that of a session to which nobody comes for sure with the last of them. */
export async function auditDeadlines() {
  const wrong = await rows(
    `SELECT h.holder_id, h.expires_at, w.expires_at AS own, s.deadline FROM holds h
     LEFT JOIN slot_holds w ON w.id = h.holder_id AND w.status = 'held' AND w.session_id IS NULL
     LEFT JOIN (SELECT session_id, max(expires_at) AS deadline FROM slot_holds WHERE status = 'held' GROUP BY session_id) s
       ON s.session_id = h.holder_id AND NOT EXISTS (
         SELECT 1 FROM bookings b WHERE b.session_id = h.holder_id AND b.status IN ('confirmed', 'rescheduled'))
     WHERE h.expires_at IS NOT coalesce(w.expires_at, s.deadline)`,
  )
  expect(wrong).toEqual([])
}

/** Whoever still holds something gives it back: what is left is bookings. */
export async function releaseAll(key: string) {
  for (const { id } of await rows("SELECT id FROM slot_holds WHERE status = 'held' AND purpose = 'hold'")) {
    expect((await call('POST', `/v1/holds/${id}/release`, { key })).status).toBe(200)
  }
}

/** Whoever hosted it when each was booked, a meeting of all hosts is never two at a time. */
export async function auditMeetings(id: string) {
  const together = await rows(
    `SELECT a.id FROM bookings a JOIN bookings b ON b.event_type_id = a.event_type_id AND a.id < b.id
     AND a.start_time < b.end_time AND b.start_time < a.end_time
     WHERE a.event_type_id = ? AND a.status <> 'cancelled' AND b.status <> 'cancelled'`,
    id,
  )
  expect(together).toEqual([])
}

export async function auditSeatsAndCaps(types: readonly string[]) {
  const sessions = await rows(
    `SELECT s.*, (SELECT coalesce(sum(json_array_length(attendees)), 0) FROM bookings b
       WHERE b.session_id = s.id AND b.status <> 'cancelled' AND b.start_time = s.start_time)
       + (SELECT coalesce(sum(seats), 0) FROM slot_holds w WHERE w.session_id = s.id AND w.status = 'held' AND w.purpose = 'hold') AS really
     FROM sessions s`,
  )
  for (const { seats_taken, really } of sessions) {
    expect(seats_taken).toBe(really)
    expect(seats_taken).toBeGreaterThan(0)
    expect(seats_taken).toBeLessThanOrEqual(MOST_SEATS)
  }
  for (const id of types) {
    const [counted] = await rows(
      `SELECT active_bookings AS told, (SELECT count(*) FROM bookings
         WHERE event_type_id = e.id AND status <> 'cancelled') AS really FROM event_types e WHERE id = ?`,
      id,
    )
    expect(counted!.told).toBe(counted!.really)
  }
  const [capped] = await rows(
    `SELECT coalesce(max(n), 0) AS n FROM (SELECT count(*) AS n FROM bookings
       WHERE event_type_id = ? AND status <> 'cancelled' GROUP BY start_time / 86400000)`,
    types[4],
  )
  expect(capped!.n).toBeLessThanOrEqual(HIGHEST_CAP)
}

/** The open starts as plain reading of the rows has them: every other start of the grid is taken. */
export async function openByRows(id: string): Promise<string[]> {
  const [type] = await rows('SELECT * FROM event_types WHERE id = ?', id)
  const hosts = await rows('SELECT member_id, resource_id FROM event_type_hosts WHERE event_type_id = ?', id)
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
    const needs = hosts.map(({ member_id, resource_id }) => [
      resource_id,
      ...calendars.filter((one) => one.member_id === member_id).map((one) => one.id),
    ])
    if (type!.assignment_strategy !== 'none')
      return isFree(id) && needs.some((all) => all.every((one) => isFree(one)))
    const kept = held.filter(({ kept_by }) => kept_by === id).map(({ resource_id }) => resource_id)
    const everybodys = hosts.length === 0 ? calendars.map((one) => one.id) : []
    return (
      [id, ...needs.flat(), ...everybodys].every((one) => isFree(one)) && kept.every((one) => isFree(one, id))
    )
  }).map(iso)
}

/** The place of what happened among all that was committed, in its order: requests may wait for long before they are decided. */
function committed(id: string, action: string, and = 'TRUE'): string {
  return `(SELECT max(at) FROM commits WHERE resource_id = ${id} AND action = '${action}' AND ${and})`
}

/**
 * Nobody waits for a start that is open and was given up by somebody while they waited, here or, of a host or on a
 * calendar that they share, in another event type.
 */
export async function auditWaiting(id: string, open: readonly string[], isHosted: boolean) {
  const passedOver = await rows(
    `SELECT w.id, w.start_time, b.start_time AS freed FROM waitlist_entries w
     JOIN json_each(?2) AS open
     JOIN event_types e ON e.id = w.event_type_id
     JOIN bookings b ON b.start_time < open.value + 1800000 + e.buffer_after_minutes * 60000
       AND b.end_time > open.value - e.buffer_before_minutes * 60000
     WHERE w.event_type_id = ?1 AND w.status = 'waiting' AND coalesce(w.start_time, open.value) = open.value
       AND ${committed('w.id', 'waitlist.joined')} < ${committed('b.id', 'booking.cancelled')}
       AND (b.event_type_id = ?1
         OR (b.calendar_connection_id IS NOT NULL AND ${isHosted ? 'FALSE' : 'TRUE'})
         OR EXISTS (SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = ?1
           AND h.member_id IN (b.assigned_host_id, (SELECT member_id FROM calendar_connections c
             WHERE c.id = b.calendar_connection_id))
           AND ${committed('?1', 'host.added', "changes ->> 'member_id' = h.member_id")} < ${committed('b.id', 'booking.cancelled')}))`,
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
