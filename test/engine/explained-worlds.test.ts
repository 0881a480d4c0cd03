import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { decideBooking } from '../../src/booking/bookings/decide-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { explainer, reasonsAtAll } from '../../src/booking/slots/explain/explain.ts'
import { tellDay } from '../../src/booking/slots/explain/explain-day.ts'
import { tellStart } from '../../src/booking/slots/explain/explain-start.ts'
import { openStartsOf } from '../../src/booking/slots/open-slots.ts'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { REASON_CODES } from '../../src/engine/schedule/reason-codes.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { amount, chance, SEED } from '../support/chance.ts'
import { bookingInput, createEventType, createOrganization } from '../support/factories.ts'
import { FIRST_DAY, NOW, randomSchedule } from '../support/random-schedules.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const WORLDS = amount(200, 50_000)
const STARTS = 6

async function anySchedule(): Promise<Schedule> {
  const { liveKey } = await createOrganization()
  const { id } = await createEventType(liveKey)
  const range = { start: FIRST_DAY, end: FIRST_DAY + DAY_MS }
  const { schedule } = await loadSchedule(openDb(env, 'decide'), id, { range, seatsAt: null }, realNow())
  return schedule!
}

/** What `POST /v1/bookings` decides about the start: whether it is booked. */
function isBooked(schedule: Schedule, start: number, duration: number, seats: number): boolean {
  const attendees = Array.from({ length: seats - 1 }, (_, at) => ({ name: 'B', email: `b${at}@example.com` }))
  const input = CreateBookingInput.parse(bookingInput(schedule.eventType.id, start, { duration, attendees }))
  const origin = { actorType: 'api_key' as const, actorId: null, ipAddress: null, requestId: null }
  const command = { origin, claim: null, tenant: null, eventTypeId: schedule.eventType.id, input, now: NOW }
  return 'placement' in decideBooking(schedule, command, 0, null)
}

/** Whether these hosts are all who take part in a booking. */
function isTeam({ eventType, hosts }: Schedule, free: readonly string[]): boolean {
  const sure = hosts.filter(({ part }) => part === 'required' || eventType.assignmentStrategy === 'none')
  const pool = hosts.filter((host) => !sure.includes(host) && free.includes(host.id))
  const size = sure.length === hosts.length ? 0 : eventType.poolSize
  return sure.every(({ id }) => free.includes(id)) && pool.length >= size
}

it('explains every start of random worlds as it is decided', { timeout: 600_000 }, async () => {
  const base = await anySchedule()
  const draw = chance(SEED + 18)
  const heard = new Map<string, number>()
  let bookable = 0
  for (let world = 0; world < WORLDS; world++) {
    const schedule = randomSchedule(base, draw)
    const { durationMinutes: own, maxAttendees } = schedule.eventType
    const durationMinutes = draw.below(20) === 0 ? 25 : own
    const seats = draw.below(3) === 0 ? 1 + draw.below(maxAttendees + 1) : 1
    const wanted = { durationMinutes, seats, now: NOW }
    const known = { before: schedule, schedule, wanted }
    const { starts } = openStartsOf(schedule, {
      ...wanted,
      range: { start: FIRST_DAY, end: FIRST_DAY + 3 * DAY_MS },
    })
    const drawn = Array.from({ length: STARTS }, () => FIRST_DAY + draw.below(3 * 288) * 5 * MINUTE_MS)
    const some = starts.length > 0 ? [draw.pick([...starts]), draw.pick([...starts])] : []
    const held = schedule.sessions.map(({ startTime }) => startTime)
    for (const start of [...drawn, ...some, ...held]) {
      const { told, alternatives } = tellStart(known, start)
      const { reasons, hosts } = told
      const about = `world ${world}, ${new Date(start).toISOString()}: ${JSON.stringify(reasons)}`
      expect(reasons.length === 0, about).toBe(isBooked(schedule, start, durationMinutes, seats))
      for (const next of alternatives) {
        expect(isBooked(schedule, next, durationMinutes, seats), about).toBe(true)
      }
      const session = schedule.sessions.find(({ startTime }) => startTime === start)
      if (hosts.length > 0 && !session) {
        const free = hosts.filter((host) => host.reasons.length === 0).map(({ id }) => id)
        expect(reasons.length === 0, about).toBe(isTeam(schedule, free))
      }
      if (reasons.length === 0) bookable++
      for (const { code } of reasons) heard.set(code, (heard.get(code) ?? 0) + 1)
    }
  }
  expect(bookable).toBeGreaterThan(WORLDS / 4)
  // The test of the whole service explains reserved time, and `bookable` of an event type has two codes of its own.
  const others: readonly string[] = ['owed_to_waitlist', 'no_hours', 'calendar_lost']
  for (const code of REASON_CODES) {
    if (!others.includes(code)) expect([code, (heard.get(code) ?? 0) > 5]).toEqual([code, true])
  }
})

it('explains days of random worlds as it explains their starts', { timeout: 600_000 }, async () => {
  const base = await anySchedule()
  const draw = chance(SEED + 19)
  for (let world = 0; world < amount(10, 2_000); world++) {
    const schedule = randomSchedule(base, draw)
    const wanted = { durationMinutes: schedule.eventType.durationMinutes, seats: 1, now: NOW }
    const known = { before: schedule, schedule, wanted }
    const hours = draw.pick([23, 24, 25])
    const from = FIRST_DAY + draw.below(24) * 60 * MINUTE_MS
    const day = { start: from, end: from + hours * 60 * MINUTE_MS }
    const { open, closed } = tellDay(known, day)
    const parts = [...open, ...closed].sort((a, b) => a.start - b.start)
    expect([parts[0]!.start, parts.at(-1)!.end]).toEqual([day.start, day.end])
    for (const [at, part] of parts.entries()) if (at > 0) expect(part.start).toBe(parts[at - 1]!.end)

    const isOpenAt = (start: number) =>
      explainer(known, { start, end: start + 1 })(start).reasons.length === 0
    const durationMs = wanted.durationMinutes * MINUTE_MS
    for (let minute = draw.below(11); minute < hours * 60; minute += 11) {
      const start = day.start + minute * MINUTE_MS
      const { reasons } = explainer(known, { start, end: start + 1 })(start)
      const part = closed.find((one) => one.start <= start && start < one.end)
      const about = `world ${world}, ${new Date(start).toISOString()}`
      if (part) expect(reasons, about).toEqual(part.reasons)
      else {
        const earlier = Array.from({ length: wanted.durationMinutes }, (_, at) => start - at * MINUTE_MS)
        expect(
          earlier.some((one) => one > start - durationMs && isOpenAt(one)),
          about,
        ).toBe(true)
      }
    }
    if (reasonsAtAll(known).length > 0) expect(open).toEqual([])
  }
})
