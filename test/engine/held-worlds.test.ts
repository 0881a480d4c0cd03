import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openStartsOf } from '../../src/booking/slots/open-slots.ts'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { AskedMs, PresentMs } from '../../src/platform/limits/clock.ts'
import { call, type Json } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { packAll, unsoundPacks } from '../support/packed.ts'

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const DAY = dayFromNow(3)
const FIRST = DAY + 9 * 60 * MINUTE_MS
const STARTS = Array.from({ length: 12 }, (_, at) => FIRST + at * HALF_HOUR_MS)
const HOURS = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '09:00',
  end_time: '15:00',
}))
const WORLDS = amount(1, 80)
const ACTS = 20
const SPAN = { start: DAY, end: DAY + 1_440 * MINUTE_MS }

type Row = Record<string, any>
type World = { readonly key: string; readonly ids: readonly string[] }

async function rowsOf(query: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<Row>()
  return results
}

/**
 * Two event types of one host, or each by itself; with seats, caps, buffers, approvals and, in a sandbox, prices, drawn at
 * random.
 */
async function makeWorld({ below }: ReturnType<typeof chance>): Promise<World> {
  const maybe = (one: number) => below(one) === 0
  const organization = await createOrganization()
  const isSandbox = maybe(2)
  const key = isSandbox ? organization.testKey : organization.liveKey
  const isShared = maybe(2)
  const host = isShared ? await createMember(organization) : null
  const ids: string[] = []
  for (let made = 0; made < 2; made++) {
    const input = {
      minimum_notice_minutes: 0,
      ...(maybe(2) && { requires_approval: true, approval_ttl_minutes: 60 + below(60) }),
      ...(isSandbox && maybe(2) && { price_amount: 1_000 }),
      ...(maybe(2) && { max_attendees: 3 }),
      ...(maybe(2) && { booking_cap: 4, booking_cap_period: maybe(2) ? 'daily' : 'total' }),
      ...(maybe(3) && { buffer_after_minutes: 15 }),
    }
    const { id } = await createEventType(key, input, HOURS)
    if (host) await addHost(key, id, host.id)
    ids.push(id)
  }
  return { key, ids }
}

/** What people do, at their own time: the deadlines lie from half a minute to a day ahead. */
async function act(
  { key, ids }: World,
  { below, pick }: ReturnType<typeof chance>,
  held: Row[],
  booked: Row[],
) {
  const event_type_id = pick([...ids])
  const start_time = iso(pick([...STARTS]))
  const person = { invitee_name: 'Ada', invitee_email: `${unique('w')}@example.com` }
  const post = (path: string, body: Json = {}) => call('POST', path, { key, body })
  const dice = below(11)
  if (dice < 4) {
    const { status, body } = await post('/v1/holds', {
      event_type_id,
      start_time,
      ttl_seconds: 30 + below(870),
      seats: 1,
    })
    if (status === 201) held.push(body)
  } else if (dice < 7) {
    const { status, body } = await post('/v1/bookings', { event_type_id, start_time, ...person })
    if (status === 201) booked.push(body)
  } else if (dice < 8 && held.length > 0) {
    const { id, token } = pick(held)
    const { status, body } = await post(
      `/v1/holds/${id}/${pick(['confirm', 'release'])}?token=${token}`,
      person,
    )
    if (status === 201) booked.push(body)
  } else if (dice < 10 && booked.length > 0) {
    await post(`/v1/bookings/${pick(booked).id}/${pick(['approve', 'decline', 'cancel'])}`)
  } else if (booked.length > 0) {
    const [payment] = await rowsOf('SELECT id FROM payments WHERE booking_id = ?', pick(booked).id)
    if (payment) await post(`/v1/test-data/payments/${payment.id}/${pick(['succeed', 'fail'])}`)
  }
}

/** Whether a row still waits at `now`; what waits for nothing is there for good. */
function isLive(row: Row, now: number): boolean {
  return row.until === null || now < row.until
}

/** The open starts as somebody finds them who looks at each minute of each row. */
async function openByMinutes(id: string, now: number): Promise<number[]> {
  const [type] = (await rowsOf('SELECT * FROM event_types WHERE id = ?', id)) as [Row]
  const taken = await rowsOf(
    `SELECT b.event_type_id, b.start_time, b.assigned_host_id AS host, json_array_length(b.attendees) AS seats,
       (SELECT w.expires_at FROM slot_holds w WHERE w.booking_id = b.id AND w.status = 'held'
         AND w.purpose = CASE b.status WHEN 'pending_approval' THEN 'approval' WHEN 'pending_payment' THEN 'payment' END) AS until,
       e.buffer_after_minutes AS after, e.max_attendees AS capacity
     FROM bookings b JOIN event_types e ON e.id = b.event_type_id WHERE b.status <> 'cancelled' AND e.organization_id = ?1
     UNION ALL SELECT w.event_type_id, w.start_time, w.assigned_host_id, w.seats, w.expires_at, e.buffer_after_minutes, e.max_attendees
     FROM slot_holds w JOIN event_types e ON e.id = w.event_type_id
     WHERE w.purpose = 'hold' AND w.status = 'held' AND e.organization_id = ?1`,
    type.organization_id,
  )
  const live = taken.filter((row) => isLive(row, now))
  const own = live.filter(({ event_type_id }) => event_type_id === id)
  const hosts = (await rowsOf('SELECT member_id FROM event_type_hosts WHERE event_type_id = ?', id)).map(
    ({ member_id }) => member_id,
  )
  if (type.booking_cap !== null && own.length >= type.booking_cap) return []
  return STARTS.filter((start) => {
    const here = own.filter(({ start_time }) => start_time === start)
    if (type.max_attendees > 1 && here.length > 0) {
      return here.reduce((sum, { seats }) => sum + seats, 0) < type.max_attendees
    }
    for (
      let minute = start;
      minute < start + HALF_HOUR_MS + type.buffer_after_minutes * MINUTE_MS;
      minute += MINUTE_MS
    ) {
      const isTaken = live.some(
        ({ event_type_id, host, start_time, after }) =>
          (event_type_id === id || hosts.includes(host)) &&
          start_time <= minute &&
          minute < start_time + HALF_HOUR_MS + after * MINUTE_MS,
      )
      if (isTaken) return false
    }
    return true
  })
}

async function openAt(id: string, now: number) {
  const db = openDb(env, 'decide')
  const { schedule } = await loadSchedule(db, id, { range: SPAN, seatsAt: null }, now as AskedMs)
  const question = { range: SPAN, durationMinutes: 30, now: now as PresentMs }
  return { starts: openStartsOf(schedule!, question).starts, schedule: schedule!, question }
}

it('offers what no minute of is taken, at any moment, and knows until when that is so', {
  timeout: SOAK_TIMEOUT_MS,
}, async () => {
  const draw = chance(SEED + 18)
  let changes = 0
  for (let at = 0; at < WORLDS; at++) {
    const world = await makeWorld(draw)
    const [held, booked]: [Row[], Row[]] = [[], []]
    const packs = chance(SEED + at)
    for (let acts = 0; acts < ACTS; acts++) {
      await act(world, draw, held, booked)
      if (packs.below(3) === 0) await packAll(rowsOf, packs)
    }
    expect(await unsoundPacks(rowsOf)).toEqual([])
    const present = Date.now()
    const deadlines = await rowsOf(
      "SELECT DISTINCT expires_at AS at FROM slot_holds WHERE status = 'held' AND event_type_id IN (?, ?)",
      ...world.ids,
    )
    const moments = [present, ...deadlines.flatMap(({ at }) => [at - 1, at]), present + 5 * 60 * MINUTE_MS]
    for (const id of world.ids) {
      let before: Awaited<ReturnType<typeof openAt>> | null = null
      for (const now of moments.toSorted((a, b) => a - b)) {
        const about = `world ${at}, ${id}, ${now - present} ms ahead`
        const found = await openAt(id, now)
        expect([about, found.starts]).toEqual([about, await openByMinutes(id, now)])
        // What was loaded before offers the same, for as long as it says that it is true.
        if (before && now < before.schedule.trueUntil)
          expect([about, found.starts]).toEqual([about, before.starts])
        else if (before && String(before.starts) !== String(found.starts)) changes++
        before = found
      }
    }
  }
  // Else it proves little.
  expect(changes).toBeGreaterThan(WORLDS)
})
