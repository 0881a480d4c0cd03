import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newId } from '../../src/db/ids.ts'
import { listOpenSlots } from '../../src/resources/availability/list-open-slots.ts'
import { cancelBooking } from '../../src/resources/bookings/cancel-booking.ts'
import { createBooking } from '../../src/resources/bookings/create-booking.ts'
import { rescheduleBooking } from '../../src/resources/bookings/reschedule-booking.ts'
import { ScheduleMemory } from '../../src/resources/bookings/schedule-memory.ts'
import { CreateBookingInput } from '../../src/resources/bookings/schema.ts'
import { addBusyHosts } from '../support/busy-hosts.ts'
import { counted } from '../support/counted-env.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
} from '../support/factories.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

it('asks the database as often for fifty busy hosts as for one', async () => {
  for (const strategy of ['none', 'round_robin', 'least_bookings', 'availability_weighted']) {
    const told: number[][] = []
    for (const count of [1, 10, 50]) {
      const organization = await createOrganization()
      const { id } = await createEventType(organization.liveKey, { assignment_strategy: strategy })
      await addBusyHosts(env.DB, id, count, SLOT + 1.25 * HOUR_MS - 124 * 3 * HOUR_MS)
      const { trips, env: countedEnv } = counted()
      const tripsOf = async (work: () => Promise<unknown>) => {
        const before = trips.count
        await work()
        return trips.count - before
      }
      const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null }
      const context = {
        env: countedEnv,
        request: new Request('https://holdfast.test'),
        requestId: newId(),
        now: Date.now(),
        ipAddress: null,
        caller: { kind: 'public' as const },
        claim: null,
      }
      const workplace = {
        env: countedEnv,
        memory: new ScheduleMemory(),
        announce: () => {},
        tellTimeFreed: () => {},
      }
      const common = { origin, claim: null, now: Date.now(), eventTypeId: id }
      const month = { start: dateOf(dayFromNow(1)), end: dateOf(dayFromNow(30)) }
      const availability = await tripsOf(() =>
        listOpenSlots(context, { event_type_id: id, ...month, timezone: 'UTC' }),
      )
      let bookingId = ''
      const booking = await tripsOf(async () => {
        const input = CreateBookingInput.parse(bookingInput(id, SLOT))
        const command = { ...common, tenant: null, input }
        const outcome = await createBooking(workplace, workplace.memory.tick(), command)
        if (outcome.kind === 'done') bookingId = String(outcome.body.id)
      })
      expect(bookingId).not.toBe('')
      const moving = await tripsOf(() =>
        rescheduleBooking(workplace, { ...common, bookingId, newStart: SLOT + 3 * HOUR_MS, reason: null }),
      )
      const cancelling = await tripsOf(() => cancelBooking(workplace, { ...common, bookingId, reason: null }))
      told.push([availability, booking, moving, cancelling])
    }
    expect(told).toEqual(Array(3).fill([1, 2, 2, 2]))
  }
})
