import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { insertConnection } from '../support/connections.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { daily, insertSchedule, insertTimeOff, setLimits } from '../support/hours.ts'

const QUARTER_MS = 900_000
const DAY = dayFromNow(4)
const WORLDS = amount(2, 120)
const CALLS = 24

/** An event type with hosts, hours, time off, limits, calendars and people who wait, drawn at random. */
async function makeWorld({ below, pick }: ReturnType<typeof chance>) {
  const maybe = (one: number) => below(one) === 0
  const organization = await createOrganization()
  const key = organization.liveKey
  const strategy = pick(['none', 'round_robin', 'least_bookings', 'availability_weighted'])
  const hoursFrom = maybe(4) ? 'hosts' : 'own'
  const { id } = await createEventType(
    key,
    {
      assignment_strategy: strategy,
      hours_from: hoursFrom,
      waitlist_enabled: true,
      ...(maybe(2) && { buffer_after_minutes: 15 }),
      ...(maybe(3) && { max_attendees: 3 }),
      ...(maybe(3) && { requires_approval: true }),
      ...(maybe(3) && { booking_cap: 6, booking_cap_period: 'daily' }),
      ...(maybe(3) && { slot_interval_minutes: 15 }),
      ...(maybe(4) && { booking_window_days: 4 }),
      ...(maybe(5) && { bookable_from: dateOf(DAY + QUARTER_MS * 4 * 12), calendar_outage: 'closed' }),
    },
    daily(['08:00', '16:00']),
  )
  await env.DB.prepare('UPDATE organizations SET hours_version = hours_version + 1 WHERE id = ?')
    .bind(organization.id)
    .run()
  for (let made = strategy === 'none' ? below(3) : below(4); made > 0; made--) {
    const { id: memberId } = await createMember(organization)
    await addHost(key, id, memberId)
    if (hoursFrom === 'hosts' || maybe(3)) {
      await insertSchedule(organization, 'live', {
        memberId,
        rules: daily(['09:00', '12:00'], ['13:00', '17:00']),
      })
    }
    if (maybe(3)) {
      const start = DAY + (32 + below(32)) * QUARTER_MS
      await insertTimeOff(organization, 'live', memberId, start, start + 8 * QUARTER_MS)
    }
    if (maybe(4)) await setLimits(memberId, { perDay: 2 })
    if (maybe(3)) {
      const calendar = await insertConnection(organization, 'live', { memberId })
      const start = DAY + (32 + below(32)) * QUARTER_MS
      await env.DB.prepare(
        "INSERT INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at) VALUES (?, 'e', ?, ?)",
      )
        .bind(calendar, start, start + 4 * QUARTER_MS)
        .run()
    }
  }
  return { id: id as string, key }
}

/** Somebody waits, and time was freed that nobody has handed on. */
async function owe(id: string, key: string, start: number, isAny: boolean): Promise<void> {
  const email = `${unique('w')}@example.com`
  const start_time = isAny ? null : iso(start)
  await call('POST', '/v1/waitlist', {
    key,
    body: { ...bookingInput(id, start), invitee_email: email, start_time },
  })
  await env.DB.prepare(
    'INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (?, ?, ?, ?)',
  )
    .bind(id, unique('source'), start, start + 4 * QUARTER_MS)
    .run()
}

/** What waits, wherever that is not in a session with others, is over, and nobody has written that down. */
async function lapse(id: string): Promise<void> {
  await env.DB.prepare(
    `UPDATE slot_holds SET expires_at = ?2 WHERE event_type_id = ?1 AND status = 'held' AND (session_id IS NULL OR purpose <> 'hold')`,
  )
    .bind(id, Date.now() - 1)
    .run()
}

it('explains, tries, holds and books the same starts of random worlds', {
  timeout: SOAK_TIMEOUT_MS,
}, async () => {
  const draw = chance(SEED + 20)
  const counts = { booked: 0, held: 0, lapsed: 0, owed: 0 }
  for (let world = 0; world < WORLDS; world++) {
    const { id, key } = await makeWorld(draw)
    for (let asked = 0; asked < CALLS; asked++) {
      const start = DAY + (14 + draw.below(20)) * 2 * QUARTER_MS + (draw.below(12) === 0 ? 60_000 : 0)
      if (draw.below(6) === 0) await owe(id, key, start, draw.below(2) === 0)
      if (draw.below(8) === 0) {
        await lapse(id)
        counts.lapsed++
      }
      const isHold = draw.below(3) === 0
      const input = bookingInput(id, start, { invitee_email: `${unique('b')}@example.com` })
      const body = isHold ? { event_type_id: id, start_time: iso(start) } : input
      const verb = isHold ? '/v1/holds' : '/v1/bookings'
      const path = `/v1/event-types/${id}/explain?start_time=${iso(start)}`
      const explained = await call('GET', path, { key })
      const tried = await call('POST', `${verb}?dry_run=true`, { key, body })
      const booked = await call('POST', verb, { key, body })
      const codes = explained.body.reasons.map(({ code }: { code: string }) => code)
      const about = `world ${world}, call ${asked}, ${iso(start)}: ${codes}`
      expect([about, explained.body.bookable]).toEqual([about, booked.status === 201])
      expect([about, tried.status, tried.body.error?.code]).toEqual([
        about,
        booked.status,
        booked.body.error?.code,
      ])
      if (booked.status === 201) counts[isHold ? 'held' : 'booked']++

      if (codes.includes('owed_to_waitlist')) counts.owed++
    }
  }
  // Else it proves little.
  expect(counts.booked, JSON.stringify(counts)).toBeGreaterThan(WORLDS * amount(1, 2))
  expect(counts.held, JSON.stringify(counts)).toBeGreaterThan(amount(0, WORLDS))
  expect(counts.owed, JSON.stringify(counts)).toBeGreaterThanOrEqual(amount(0, 3))
})
