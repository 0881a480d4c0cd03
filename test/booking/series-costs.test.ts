import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createSeries } from '../../src/booking/series/create-series.ts'
import { CreateSeriesInput } from '../../src/booking/series/schema.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { countedEnv } from '../support/counted-env.ts'
import { iso, unique } from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { DAY_MS, FIRST, seriesWorld } from '../support/series.ts'

type World = Awaited<ReturnType<typeof seriesWorld>>

/** What a series costs the object of its event type, which knew nothing before. */
async function costOf({ id, organization, email }: World, count: number, start: number, isKeyless: boolean) {
  const counted = countedEnv()
  const workplace = {
    env: counted.env,
    memory: new ScheduleMemory(),
    checks: new CalendarLooks(env),
    waitlist,
    announce: () => {},
    announceReleased: () => {},
  }
  const input = CreateSeriesInput.parse({
    event_type_id: id,
    start_time: iso(start),
    count,
    invitee_name: 'Ada',
    invitee_email: email,
  })
  const command = {
    eventTypeId: id,
    tenant: isKeyless ? null : { organizationId: organization.id, isTest: true },
    claim: { scope: 'test', key: unique('series'), requestHash: 'hash' },
    origin: {
      actorType: isKeyless ? ('invitee' as const) : ('api_key' as const),
      actorId: null,
      actorName: null,
      ipAddress: '198.51.100.1',
      requestId: null,
    },
    now: realNow(),
    isQuiet: false,
    input,
  }
  const outcome = await runPlan(workplace, createSeries(command), workplace.memory.tick())
  expect(outcome.kind).toBe('done')
  return {
    trips: counted.trips.count,
    statements: counted.ran.length,
    read: counted.ran.reduce((sum, { read }) => sum + read, 0),
  }
}

describe('a series of 52', () => {
  it.each([
    ['of one person', {}, 2],
    ['that needs an approval', { requires_approval: true }, 2],
    ['with limits of all kinds', { booking_cap: 60, booking_cap_period: 'weekly', invitee_limit: 100 }, 2],
    ['of a class', { max_attendees: 5 }, 3],
    ['with hosts by turns', { assignment_strategy: 'round_robin' }, 2],
    ['of all hosts together', {}, 2],
  ])('%s makes as many round trips and statements as one of 2', async (title, input, most) => {
    for (const isKeyless of [false, true]) {
      const world = await seriesWorld(input)
      if (title.includes('hosts')) await addHosts(world.organization, world.key, world.id, 2)
      const two = await costOf(world, 2, FIRST, isKeyless)
      const all = await costOf(world, 52, FIRST + DAY_MS, isKeyless)
      expect([two.trips, all.trips]).toEqual([most, most])
      expect(all.statements).toBe(two.statements)
      expect(all.statements).toBeLessThanOrEqual(26)
      // Rows grow with the bookings, and with nothing else.
      expect(all.read / 52).toBeLessThan(70)
    }
  })
})
