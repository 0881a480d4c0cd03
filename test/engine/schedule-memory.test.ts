import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { cancelBooking } from '../../src/booking/bookings/cancel-booking.ts'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { rescheduleBooking } from '../../src/booking/bookings/reschedule-booking.ts'
import { createHold } from '../../src/booking/holds/create-hold.ts'
import { releaseHold } from '../../src/booking/holds/release-hold.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { loadForStart } from '../../src/engine/schedule/load-for-start.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { chance } from '../support/chance.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  unique,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'

const HALF_HOUR_MS = 1_800_000
const FIRST = dayFromNow(2) + 9 * 2 * HALF_HOUR_MS
const STARTS = 8
const STEPS = 30

const KINDS: Readonly<Record<string, { input: Record<string, unknown>; hosts: number }>> = {
  'an event type': { input: {}, hosts: 0 },
  'one with buffers and a daily cap': {
    input: {
      buffer_before_minutes: 10,
      buffer_after_minutes: 5,
      booking_cap: 6,
      booking_cap_period: 'daily',
    },
    hosts: 0,
  },
  'one with a cap on all bookings': { input: { booking_cap: 20, booking_cap_period: 'total' }, hosts: 0 },
  'a group': { input: { max_attendees: 3 }, hosts: 0 },
  'a group whose hosts take turns': {
    input: { max_attendees: 2, assignment_strategy: 'round_robin' },
    hosts: 2,
  },
  'hosts who are all needed': { input: { assignment_strategy: 'none' }, hosts: 2 },
  'hosts who take turns': { input: { assignment_strategy: 'round_robin' }, hosts: 3 },
  'hosts with the fewest bookings': { input: { assignment_strategy: 'least_bookings' }, hosts: 3 },
  'hosts with the most free time': { input: { assignment_strategy: 'availability_weighted' }, hosts: 3 },
}

/** What is known of `start`, in an order of its own and without what no decision asks for. */
function told(schedule: Schedule, start: number) {
  const { eventType, range, table: _table, trueUntil: _until, calendars: _calendars, ...rest } = schedule
  const isNear = (at: number) => range.start <= at && at < range.end
  const counts = new Map<number, number>()
  // A cap on all bookings goes by their number.
  const starts = eventType.bookingCapPeriod === 'total' ? [] : rest.bookedStarts
  for (const one of starts) counts.set(one.start, (counts.get(one.start) ?? 0) + one.count)
  return {
    ...rest,
    eventType: { ...eventType, version: null },
    // A deadline is in `trueUntil`, and goes with whoever joins what is held.
    holds: [...rest.holds.values()]
      .flat()
      .map(({ expiresAt: _deadline, ...hold }) => JSON.stringify(hold))
      .sort(),
    sessions: [...rest.sessions].sort((a, b) => a.startTime - b.startTime),
    bookedStarts: [...counts].filter(([at, count]) => isNear(at) && count !== 0).sort(([a], [b]) => a - b),
    seated: [...(rest.seated.get(start) ?? [])].sort(),
  }
}

it.for(Object.entries(KINDS))(
  'an object of %s remembers what it would load',
  async ([, { input, hosts }]) => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey, input)
    await addHosts(organization, organization.liveKey, id, hosts)
    const tenant = { organizationId: organization.id, isTest: false }
    const memory = new ScheduleMemory()
    const workplace = {
      env,
      memory,
      checks: new CalendarLooks(env),
      waitlist,
      announce: () => {},
      announceReleased: () => {},
    }
    const origin = { actorType: 'api_key' as const, actorId: null, ipAddress: null, requestId: null }
    const { below: draw } = chance(hosts + 7)
    const made: string[] = []
    const held: string[] = []
    let remembered = 0
    for (let step = 0; step < STEPS; step++) {
      const start = FIRST + draw(STARTS) * HALF_HOUR_MS
      const common = { origin, claim: null, now: realNow(), eventTypeId: id }
      const bookingId = made[draw(made.length)]!
      const what = made.length < 3 ? 0 : draw(7)
      const run = async () => {
        if (what < 3) {
          const asked = CreateBookingInput.parse(
            bookingInput(id, start, { invitee_email: `${unique('who')}@example.com` }),
          )
          const outcome = await runPlan(
            workplace,
            createBooking({ ...common, tenant, input: asked }),
            memory.tick(),
          )
          if (outcome.kind === 'done') made.push(outcome.body.id)
        } else if (what === 3) {
          await runPlan(workplace, cancelBooking({ ...common, bookingId, reason: null }), memory.tick())
        } else if (what > 4 && held.length < 2) {
          const start_time = FIRST + (STARTS + draw(STARTS)) * HALF_HOUR_MS
          const wanted = { event_type_id: id, start_time, seats: 1, ttl_seconds: 600, metadata: {} }
          const holding = createHold({ ...common, tenant, input: wanted })
          const outcome = await runPlan(workplace, holding, memory.tick())
          if (outcome.kind === 'done') held.push(outcome.body.id)
        } else if (what > 4) {
          await runPlan(workplace, releaseHold({ ...common, holdId: held.pop()! }), memory.tick())
        } else {
          const move = { ...common, bookingId, newStart: start, reason: null }
          await runPlan(workplace, rescheduleBooking(move), memory.tick())
        }
      }
      await run()
      const known = memory.recall(start, realNow())
      if (!known) continue
      remembered++
      const { schedule } = await loadForStart(openDb(env, 'decide'), id, { start }, realNow(), {
        known: null,
      })
      expect(told({ ...known, range: schedule!.range }, start), `step ${step}`).toEqual(
        told(schedule!, start),
      )
      // And no longer than that is true.
      expect(known.trueUntil, `step ${step}`).toBeLessThanOrEqual(schedule!.trueUntil)
    }
    expect(remembered).toBeGreaterThan(STEPS / 3)
  },
)
