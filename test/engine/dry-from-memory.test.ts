import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { rescheduleBooking } from '../../src/booking/bookings/reschedule-booking.ts'
import { createHold } from '../../src/booking/holds/create-hold.ts'
import { joinWaitlist } from '../../src/booking/waitlist/join-waitlist.ts'
import { JoinWaitlistInput } from '../../src/booking/waitlist/schema.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import type { Queries, Verb } from '../../src/engine/turn/verb.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { addBusyHosts } from '../support/busy-hosts.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookAsAnother,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
} from '../support/factories.ts'

const HOUR_MS = 3_600_000
const START = dayFromNow(3) + HOUR_MS

/** The turns of one object, which anonymous callers ask, with what the last one cost. */
async function makeTurns(hosts: number) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, {
    assignment_strategy: 'round_robin',
    waitlist_enabled: true,
  })
  await addBusyHosts(env.DB, id, hosts, START - 301 * HOUR_MS)
  const { trips, ran, env: counted } = countedEnv()
  const workplace = {
    env: counted,
    memory: new ScheduleMemory(),
    checks: { ask: async () => new Map(), elsewhere: async () => [] },
    announce: () => {},
    announceReleased: () => {},
    waitlist,
  }
  const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: '192.0.2.7', requestId: null }
  const common = { origin, claim: null, now: realNow(), eventTypeId: id, tenant: null }
  const run = async <Q extends Queries, Body>(verb: Verb<Q, Body>) => {
    ran.length = 0
    const before = trips.count
    const outcome = await runPlan(workplace, verb, workplace.memory.tick())
    const rows = ran.reduce((sum, { read }) => sum + read, 0)
    return { outcome, cost: { trips: trips.count - before, rows } }
  }
  const verbs = (isDry: boolean, start: number) => ({
    book: () =>
      run(createBooking({ ...common, isDry, input: CreateBookingInput.parse(bookingInput(id, start)) })),
    hold: () =>
      run(
        createHold({ ...common, isDry, input: { start_time: start, ttl_seconds: 300, seats: 1 } as never }),
      ),
    wait: () =>
      run(
        joinWaitlist({ ...common, isDry, input: JoinWaitlistInput.parse(bookingInput(id, start)) as never }),
      ),
    move: (bookingId: string) =>
      run(rescheduleBooking({ ...common, isDry, bookingId, newStart: start, reason: null })),
  })
  return { id, organization, verbs }
}

it('decides a dry run by what memory knows, with no more rows than a booking reads', async () => {
  const { verbs } = await makeTurns(10)
  const { outcome: first } = await verbs(false, START + 3 * HOUR_MS).book()
  const { cost: booking } = await verbs(false, START + 6 * HOUR_MS).book()
  expect(booking.trips).toBe(1)
  const bookingId = first.kind === 'done' ? String(first.body.id) : ''
  const at = verbs(true, START + 9 * HOUR_MS)
  for (const ask of [at.book, at.hold, () => at.move(bookingId), at.wait]) {
    const { cost } = await ask()
    expect(cost.trips).toBe(1)
    expect(Math.max(cost.rows, booking.rows)).toBe(booking.rows)
  }
  expect((await at.book()).outcome.kind).toBe('done')
})

it('reads all again once somebody else has changed what memory knew', async () => {
  const { id, verbs } = await makeTurns(1)
  await verbs(false, START + 3 * HOUR_MS).book()
  expect((await verbs(true, START + 6 * HOUR_MS).book()).outcome.kind).toBe('done')
  expect((await bookAsAnother(id, START + 6 * HOUR_MS)).status).toBe(201)
  const { outcome } = await verbs(true, START + 6 * HOUR_MS).book()
  expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'no_host_available' } })
})
