import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { loadForStart } from '../../src/engine/schedule/load-for-start.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { countedEnv } from '../support/counted-env.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'

const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000
const startIn = (days: number) => dayFromNow(days) + 20 * HALF_HOUR_MS

/** The round trips of bookings that many days ahead, one after the other in one object. */
async function tripsOf(input: Record<string, unknown>, days: readonly number[]) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, input)
  return (await costsOf(id, days)).map(({ trips }) => trips)
}

async function costsOf(id: string, days: readonly number[]) {
  const { trips, ran, env: counted } = countedEnv()
  const memory = new ScheduleMemory()
  const workplace = {
    env: counted,
    memory,
    checks: new CalendarLooks(counted),
    waitlist,
    announce: () => {},
    announceReleased: () => {},
  }
  const origin = { actorType: 'invitee' as const, actorId: null, ipAddress: null, requestId: null }
  const common = { origin, claim: null, now: realNow(), eventTypeId: id, tenant: null }
  const told: { trips: number; read: number }[] = []
  for (const ahead of days) {
    const before = trips.count
    ran.length = 0
    const asked = CreateBookingInput.parse({
      ...bookingInput(id, startIn(ahead)),
      invitee_email: `ada-${ahead}@example.com`,
    })
    const outcome = await runPlan(workplace, createBooking({ ...common, input: asked }), memory.tick())
    expect(outcome.kind).toBe('done')
    told.push({ trips: trips.count - before, read: ran.reduce((sum, { read }) => sum + read, 0) })
  }
  return told
}

describe('bookings far ahead', () => {
  it('are decided from memory between others that were made before, near and far', async () => {
    expect(await tripsOf({}, [2, 100, 300, 200, 50, 3, 301])).toEqual([2, 2, 2, 1, 1, 1, 1])
  })

  it('are asked about more than a year ahead, and near again', async () => {
    expect(await tripsOf({}, [2, 500, 3])).toEqual([2, 2, 2])
  })

  it('of a group are asked about each', async () => {
    expect(await tripsOf({ max_attendees: 3 }, [2, 100, 50])).toEqual([2, 2, 2])
  })

  it('read what is around each, if a year has many, until that was as much as the year, and then all of it once', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    await env.DB.prepare(
      `INSERT INTO holds (resource_id, starts_at, ends_at, holder_id)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?4 * 5 - 1)
       SELECT ?1, at, at + ?3, 'held-' || i FROM (SELECT i, ?2 + (i / 5) * ${DAY_MS} + (i % 5) * ?3 AS at FROM n)`,
    )
      .bind(id, dayFromNow(1) + 30 * HALF_HOUR_MS, HALF_HOUR_MS, 365)
      .run()
    const days = Array.from({ length: 24 }, (_, at) => 2 + ((at * 97) % 338))
    const reads = (await costsOf(id, days)).map(({ read }) => read)
    const YEAR = 365 * 5
    const gathered = reads.filter((read) => read > YEAR)
    expect(gathered).toHaveLength(1)
    const before = reads.slice(0, reads.indexOf(gathered[0]!))
    expect(before.reduce((sum, read) => sum + read, 0)).toBeGreaterThan(YEAR)
    expect(Math.max(...before.slice(2))).toBeLessThan(300)
    const after = reads.slice(before.length + 1)
    expect(after.length).toBeGreaterThan(5)
    expect(Math.max(...after)).toBeLessThan(20)
  })
})

describe('what is loaded for a start', () => {
  async function rangeOf(days: number, known: (schedule: Schedule) => Schedule | null) {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const db = openDb(env, 'decide')
    const near = await loadForStart(db, id, { start: startIn(2) }, realNow(), { known: null })
    const { schedule } = await loadForStart(db, id, { start: startIn(days) }, realNow(), {
      known: known(near.schedule!),
    })
    return { near: near.schedule!.range, range: schedule!.range }
  }
  const busy = (times: number) => (schedule: Schedule) => {
    const hold = {
      ...{ resourceId: 'r', start: 1, end: 2, holder: 'h', keptBy: '', meetsAt: 1 },
      expiresAt: null,
    }
    return { ...schedule, holds: new Map([['r', Array.from({ length: times }, () => hold)]]) }
  }

  it('includes what is known, as long as little of it is busy', async () => {
    const { near, range } = await rangeOf(100, busy(100))
    expect(range.end - startIn(100)).toBe(28 * DAY_MS)
    expect(near.end < range.end && range.start < startIn(3)).toBe(true)
  })

  it('is what is around the start where much is busy, and where nothing is known', async () => {
    for (const known of [busy(900), () => null]) {
      expect((await rangeOf(100, known)).range).toEqual({ start: startIn(100), end: startIn(128) })
    }
  })
})
