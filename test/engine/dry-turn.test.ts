import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { cancelBooking } from '../../src/booking/bookings/cancel-booking.ts'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { rescheduleBooking } from '../../src/booking/bookings/reschedule-booking.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { selectVersion } from '../../src/engine/schedule/statements.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { changedTables, everything } from '../support/checksum.ts'
import { insertConnection } from '../support/connections.ts'
import { countedEnv } from '../support/counted-env.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'

const HALF_HOUR_MS = 1_800_000
const START = dayFromNow(2) + 18 * HALF_HOUR_MS

/** An object's turns whose calendars, queue and neighbours are noted when they are asked or told. */
async function makeTurns() {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, { assignment_strategy: 'round_robin' })
  const [host] = await addHosts(organization, organization.liveKey, id, 2)
  await insertConnection(organization, 'live', { memberId: host! })
  const outside: string[] = []
  const { trips, env: counted } = countedEnv()
  const memory = new ScheduleMemory()
  const workplace = {
    env: counted,
    memory,
    checks: {
      elsewhere: async () => [],
      ask: async () => {
        outside.push('calendar')
        return new Map()
      },
    },
    waitlist,
    announce: () => void outside.push('queue'),
    announceReleased: () => void outside.push('neighbour'),
  }
  const origin = { actorType: 'api_key' as const, actorId: null, ipAddress: null, requestId: null }
  const tenant = { organizationId: organization.id, isTest: false }
  const common = { origin, claim: null, now: realNow(), eventTypeId: id, tenant }
  const verbs = (isDry: boolean, start: number, bookingId = '') => {
    const asked = { ...common, isDry, bookingId, reason: null, newStart: start }
    const input = CreateBookingInput.parse(bookingInput(id, start))
    return {
      book: () => runPlan(workplace, createBooking({ ...asked, input }), memory.tick()),
      move: () => runPlan(workplace, rescheduleBooking(asked), memory.tick()),
      cancel: () => runPlan(workplace, cancelBooking(asked), memory.tick()),
    }
  }
  return { id, memory, trips, outside, verbs }
}

it('asks nobody outside, moves no version, and leaves memory as right as it was', async () => {
  const { id, memory, trips, outside, verbs } = await makeTurns()
  const made = await verbs(false, START).book()
  expect(made.kind).toBe('done')
  const bookingId = made.kind === 'done' ? (made.body.id as string) : ''
  const version = await selectVersion(openDb(env, 'decide'), id)
  const before = await everything()
  outside.length = 0

  for (const ask of [
    verbs(true, START + HALF_HOUR_MS).book,
    verbs(true, START + HALF_HOUR_MS, bookingId).move,
    verbs(true, START, bookingId).cancel,
    verbs(true, START + 60_000).book,
  ]) {
    const outcome = await ask()
    expect(['done', 'refused']).toContain(outcome.kind)
  }
  expect(outside).toEqual([])
  expect(changedTables(before, await everything())).toEqual([])
  expect(await selectVersion(openDb(env, 'decide'), id)).toEqual(version)
  const { own, shared } = version[0]!
  expect(memory.recall(START, realNow())?.version).toEqual({ own, shared })
  const held = [...memory.recall(START, realNow())!.holds.values()].flat()
  expect(held.map(({ start }) => start)).toContain(START)

  // What follows is decided by what memory knows, and committed at once.
  const trip = trips.count
  expect((await verbs(false, START + HALF_HOUR_MS).book()).kind).toBe('done')
  expect(trips.count - trip).toBe(1)
})
