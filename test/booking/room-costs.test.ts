import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { MOST_UNITS } from '../../src/engine/schedule/resources/unit-numbers.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { createRoom } from '../support/rooms.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** What bookings cost an object that knew nothing before the first one. */
async function costs(rooms: number, units: number) {
  const { id: organizationId, liveKey: key } = await createOrganization()
  const requires = []
  for (let made = 0; made < rooms; made++) {
    const { id } = await createRoom(key, { quantity: units })
    requires.push({ resource_ids: [id], count: 1 })
  }
  const { id: eventTypeId } = await createEventType(key, { requires })
  const counted = countedEnv()
  const workplace = {
    env: counted.env,
    memory: new ScheduleMemory(),
    checks: new CalendarLooks(env),
    waitlist,
    announce: () => {},
    announceReleased: () => {},
  }
  const book = async (start: number) => {
    const [trips, ran] = [counted.trips.count, counted.ran.length]
    const input = CreateBookingInput.parse({
      event_type_id: eventTypeId,
      start_time: iso(start),
      invitee_name: 'Ada',
      invitee_email: `${unique('ada')}@example.com`,
    })
    const command = {
      eventTypeId,
      tenant: { organizationId, isTest: false },
      claim: null,
      origin: {
        ...{ actorType: 'api_key' as const, actorId: null, actorName: null },
        ...{ ipAddress: '198.51.100.1', requestId: null },
      },
      now: realNow(),
      isQuiet: false,
      input,
    }
    const outcome = await runPlan(workplace, createBooking(command), workplace.memory.tick())
    expect(outcome.kind).toBe('done')
    const mine = counted.ran.slice(ran)
    return {
      trips: counted.trips.count - trips,
      statements: mine.length,
      read: mine.reduce((sum, { read }) => sum + read, 0),
      written: mine.reduce((sum, { written }) => sum + written, 0),
    }
  }
  return { first: await book(SLOT), next: await book(SLOT + HOUR_MS) }
}

it('costs a booking no round trip and no statement, and rows per unit and per hold', async () => {
  const [without, one, three, many] = [
    await costs(0, 0),
    await costs(1, 2),
    await costs(3, 2),
    await costs(1, MOST_UNITS),
  ]
  for (const some of [without, one, three, many]) {
    expect([some.first.trips, some.next.trips]).toEqual([2, 1])
    expect([some.first.statements, some.next.statements]).toEqual([9, 5])
  }
  // Each hold is a row with its index, and marks the shared version.
  expect([one, many].map(({ next }) => next.written - without.next.written)).toEqual([3, 3])
  expect(three.next.written - without.next.written).toBe(9)
  expect([one, many].map(({ next }) => next.read - without.next.read)).toEqual([6, 6])
  expect(one.first.read - without.first.read).toBeLessThanOrEqual(20)
  // What is held of each unit is looked up.
  expect(many.first.read - one.first.read).toBe(3 * (MOST_UNITS - 2))
})
