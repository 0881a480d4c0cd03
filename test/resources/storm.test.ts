import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../src/jobs/sweep.ts'
import { type Answered, call, callAsService } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { insertConnection } from '../support/connections.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const DAY = dayFromNow(3)
const FIRST = DAY + 8 * 60 * MINUTE_MS
const STARTS = Array.from({ length: 12 }, (_, at) => FIRST + at * HALF_HOUR_MS)
const hoursOf = (start_time: string, end_time: string) =>
  [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({ day_of_week, start_time, end_time }))
const HOURS = hoursOf('08:00', '14:00')
/** An invitee moves what begins before it by a key only: half of the starts of the first event type. */
const LATE = STARTS[6]!
const OPERATIONS = amount(500, 2_400)
const AT_A_TIME = 24
const MOST_SEATS = 5
const HIGHEST_CAP = 8

type Booked = { readonly id: string; readonly cancel_token: string }
type Held = { readonly id: string; readonly token: string }
type Row = Record<string, any>

async function rows(query: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<Row>()
  return results
}

const WAITS = { waitlist_enabled: true }
/** Its bookings are approved first. */
const ASKS = { ...WAITS, requires_approval: true }

function noticeFor(start: number): number {
  return Math.floor((start - Date.now()) / MINUTE_MS)
}

/** How many of the event types may have hosts. */
const HOSTED = 4

/**
 * Event types that compete for the same four members, and three that need nobody: with calendars, these three are
 * written to the one of a member, and so compete with each other and with whatever that member hosts.
 */
async function makeWorld(withCalendars: boolean) {
  await env.DB.batch(
    [
      'CREATE TABLE IF NOT EXISTS commits (at INTEGER PRIMARY KEY, resource_id TEXT, action TEXT, changes TEXT)',
      'CREATE INDEX IF NOT EXISTS commits_of ON commits (resource_id)',
      `CREATE TRIGGER IF NOT EXISTS commits_insert AFTER INSERT ON activity BEGIN
         INSERT INTO commits (resource_id, action, changes) VALUES (NEW.resource_id, NEW.action, NEW.changes); END`,
    ].map((statement) => env.DB.prepare(statement)),
  )
  const organization = await createOrganization()
  const key = organization.liveKey
  const members: string[] = []
  for (let made = 0; made < 4; made++) members.push((await createMember(organization)).id)
  const kinds: [Row, number[]][] = [
    [
      { ...WAITS, assignment_strategy: 'round_robin', reschedule_notice_minutes: noticeFor(LATE) },
      [0, 1, 2, 3],
    ],
    [{ ...ASKS, assignment_strategy: 'least_bookings', buffer_after_minutes: 15 }, [1, 2, 3]],
    [{ ...WAITS, assignment_strategy: 'none', buffer_before_minutes: 10 }, [0, 1]],
    [{ ...WAITS, assignment_strategy: 'availability_weighted', max_attendees: 3 }, [2, 3]],
    [{ ...ASKS, booking_cap: 5, booking_cap_period: 'daily' }, []],
    [{ ...ASKS, max_attendees: 4 }, []],
    [{ ...WAITS, booking_cap: 2, booking_cap_period: 'daily' }, []],
  ]
  const types: string[] = []
  for (const [input, hosts] of kinds) {
    const { id } = await createEventType(key, input, HOURS)
    for (const at of hosts) await addHost(key, id, members[at]!)
    types.push(id)
  }
  if (withCalendars) {
    await insertConnection(organization, 'live')
    const calendar = await insertConnection(organization, 'live', { memberId: members[0]! })
    const body = { default_calendar_connection_id: calendar }
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body })
  }
  return { organization, key, members, types }
}

async function storm(world: Awaited<ReturnType<typeof makeWorld>>, seed: number) {
  const { key, members, types } = world
  const { below: random, pick } = chance(seed)
  const booked: Booked[] = []
  const held: Held[] = []
  const counts = new Map<string, number>()
  const tooLate = new Set<string>()
  const person = () => ({ invitee_name: 'Ada', invitee_email: `${unique('s')}@example.com` })
  const byToken = ({ id, cancel_token }: Booked, verb: string, body = {}) =>
    call('POST', `/v1/bookings/${id}/${verb}?token=${cancel_token}`, { body })

  async function operate(): Promise<[string, Answered]> {
    const dice = random(100)
    const id = pick(types)
    if (dice < 10) {
      const isGroup = id === types[3] || id === types[5]
      const seats = isGroup ? 1 + random(2) : 1
      const body = { event_type_id: id, start_time: iso(pick(STARTS)), seats, ttl_seconds: pick([30, 900]) }
      const answer = await call('POST', '/v1/holds', { body })
      if (answer.status === 201) held.push(answer.body)
      return ['hold', answer]
    }
    if (dice < 18 && held.length > 0) {
      const { id: holdId, token } = pick(held)
      const verb = pick(['confirm', 'confirm', 'release'])
      const body = { ...person(), if_still_free: random(3) === 0 }
      const answer = await call('POST', `/v1/holds/${holdId}/${verb}?token=${token}`, { body })
      if (answer.status === 201) booked.push(answer.body)
      return [verb, answer]
    }
    if (dice < 36 || booked.length === 0) {
      const others = Array.from({ length: random(3) }, () => ({
        name: 'Grace',
        email: `${unique('o')}@example.com`,
      }))
      const isGroup = id === types[3] || id === types[5]
      const answer = await book(id, pick(STARTS), { ...person(), attendees: isGroup ? others : [] })
      if (answer.status === 201) booked.push(answer.body)
      return ['book', answer]
    }
    if (dice < 43) {
      const verb = pick(['approve', 'approve', 'decline'])
      return [verb, await call('POST', `/v1/bookings/${pick(booked).id}/${verb}`, { key })]
    }
    if (dice < 58) return ['cancel', await byToken(pick(booked), 'cancel')]
    if (dice < 70) {
      const one = pick(booked)
      const body = { new_start_time: iso(pick(STARTS)) }
      if (random(4) === 0) {
        return ['move by key', await call('POST', `/v1/bookings/${one.id}/reschedule`, { key, body })]
      }
      const moved = await byToken(one, 'reschedule', body)
      if (moved.status === 403) tooLate.add(one.id)
      else if (moved.status === 200) auditMove(types[0]!, moved.body, body.new_start_time)
      return ['move', moved]
    }
    if (dice < 82) {
      const { start_time: _any, ...any } = bookingInput(id, 0)
      const start = random(5) === 0 ? {} : { start_time: iso(pick(STARTS)) }
      return ['wait', await call('POST', '/v1/waitlist', { body: { ...any, ...person(), ...start } })]
    }
    if (dice < 86) {
      const body = { member_id: pick(members) }
      return ['host', await call('POST', `/v1/event-types/${types[random(HOSTED)]}/hosts`, { key, body })]
    }
    if (dice < 90) {
      const path = `/v1/event-types/${types[random(HOSTED)]}/hosts/${pick(members)}`
      return ['unhost', await call('DELETE', path, { key })]
    }
    if (dice < 92) {
      const rules = random(3) === 0 ? hoursOf('09:00', '12:00') : HOURS
      return ['hours', await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules } })]
    }
    const [patched, body] = pick([
      [id, { active: random(4) > 0 }],
      [types[1]!, { assignment_strategy: pick(['none', 'least_bookings']) }],
      [types[4]!, { booking_cap: 4 + random(HIGHEST_CAP - 3) }],
      [types[5]!, { max_attendees: 2 + random(MOST_SEATS - 1) }],
      [types[6]!, { booking_cap: 2 + random(3), booking_cap_period: pick(['daily', 'total']) }],
      [types[6]!, { booking_cap: null }],
    ])
    return ['patch', await call('PATCH', `/v1/event-types/${patched}`, { key, body })]
  }

  let left = OPERATIONS
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      while (left-- > 0) {
        const [name, { status }] = await operate()
        const told = `${name} ${status}`
        counts.set(told, (counts.get(told) ?? 0) + 1)
      }
    }),
  )
  const others = await rows(
    'SELECT id FROM bookings WHERE id IN (SELECT value FROM json_each(?)) AND event_type_id <> ?',
    JSON.stringify([...tooLate]),
    types[0],
  )
  expect([others, tooLate.size > 0]).toEqual([[], true])
  return counts
}

/** Where a notice is asked for, an invitee moves only what begins after it. What is only asked for has none. */
function auditMove(noticed: string, booking: Row, to: string) {
  if (booking.event_type_id !== noticed || booking.status === 'pending_approval') return
  const isSame = booking.start_time === to && booking.previous_start_time === null
  if (!isSame && booking.previous_start_time !== to) {
    expect(Date.parse(booking.previous_start_time)).toBeGreaterThanOrEqual(LATE - MINUTE_MS)
  }
}

/** Nobody in two places, no hold without a booking, no booking without its hold, at its time. */
async function auditHolds() {
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
async function auditDeadlines() {
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
async function releaseAll(key: string) {
  for (const { id } of await rows("SELECT id FROM slot_holds WHERE status = 'held' AND purpose = 'hold'")) {
    expect((await call('POST', `/v1/holds/${id}/release`, { key })).status).toBe(200)
  }
}

/** Whoever hosted it when each was booked, a meeting of all hosts is never two at a time. */
async function auditMeetings(id: string) {
  const together = await rows(
    `SELECT a.id FROM bookings a JOIN bookings b ON b.event_type_id = a.event_type_id AND a.id < b.id
     AND a.start_time < b.end_time AND b.start_time < a.end_time
     WHERE a.event_type_id = ? AND a.status <> 'cancelled' AND b.status <> 'cancelled'`,
    id,
  )
  expect(together).toEqual([])
}

async function auditSeatsAndCaps(types: readonly string[]) {
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
async function openByRows(id: string): Promise<string[]> {
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
async function auditWaiting(id: string, open: readonly string[], isHosted: boolean) {
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
async function auditReopening(id: string, key: string) {
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

describe('a storm', () => {
  it.each([
    ['on hosts', SEED, false],
    ['on hosts and calendars', SEED + 1, true],
  ] as const)(
    'of hundreds of parallel operations %s leaves everything sound: seed %i',
    async (_what, seed, withCalendars) => {
      const world = await makeWorld(withCalendars)
      const counts = await storm(world, seed)
      for (const told of counts.keys()) expect(told).toMatch(/ (20[014]|400|404|409)$|^move 403$/)
      const { key } = world
      for (const id of world.types) {
        await call('PATCH', `/v1/event-types/${id}`, { key, body: { active: true } })
        await call('PUT', `/v1/event-types/${id}/availability`, { key, body: { rules: HOURS } })
      }
      // What one event type gives back is passed on to others after the answer.
      await new Promise((resolve) => setTimeout(resolve, 500))
      await sweep(env, Date.now())

      await auditHolds()
      await auditDeadlines()
      await auditSeatsAndCaps(world.types)
      await releaseAll(key)
      await sweep(env, Date.now())
      expect(await rows('SELECT * FROM freed_times')).toEqual([])
      const unlike = await rows(
        `SELECT b.id, b.status, w.status AS request FROM bookings b
         LEFT JOIN slot_holds w ON w.id = b.id AND w.purpose = 'approval'
         WHERE (b.status = 'pending_approval') <> coalesce(w.status = 'held', 0)`,
      )
      expect(unlike).toEqual([])
      await auditHolds()
      await auditMeetings(world.types[2]!)
      await auditSeatsAndCaps(world.types)
      let promoted = 0
      for (const [at, id] of world.types.entries()) {
        const open = await openStarts(id, DAY)
        expect(open).toEqual(await openByRows(id))
        promoted += await auditWaiting(id, open, at < HOSTED)
        const date = dateOf(DAY)
        const { body } = await call(
          'GET',
          `/v1/availability?event_type_id=${id}&start=${date}&end=${date}&timezone=UTC`,
        )
        if (!body.waitlist_slots) continue
        const taken = body.waitlist_slots.map((slot: Row) => slot.start_time)
        expect([...open, ...taken].sort()).toEqual(STARTS.map(iso))
      }
      expect(promoted).toBeGreaterThan(10)
      for (const id of world.types) await auditReopening(id, key)
      await auditHolds()
      await auditSeatsAndCaps(world.types)
    },
    SOAK_TIMEOUT_MS,
  )
})
