import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { findOpenSlots, findSlotsToMove } from '../../src/booking/slots/find-open-slots.ts'
import { searchOpenStarts } from '../../src/booking/slots/search-open-starts.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const MONTH = datesFrom(1)

function datesFrom(day: number, days = 30) {
  return { start: dateOf(dayFromNow(day)), end: dateOf(dayFromNow(day + days - 1)), timezone: 'UTC' }
}

type Asked = ReturnType<typeof datesFrom> & { readonly duration?: number }

async function team() {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, {
    assignment_strategy: 'round_robin',
    duration_options: [30, 60],
    duration_minutes: 30,
  })
  await addHosts(organization, organization.liveKey, id, 3)
  return id
}

/** What the isolate offers, which is what is there, and what it read for it. */
async function readFor(id: string, asked: Asked) {
  const counted = countedEnv()
  const now = Date.now()
  const query = { event_type_id: id, ...asked }
  const found = await findOpenSlots({ env: counted.env, now } as Context, query)
  const nothing = { bookingId: '', withoutIt: (schedule: Schedule) => ({ schedule, seats: 1 }) }
  const afresh = await findSlotsToMove({ env, now } as Context, query, nothing)
  expect({ ...found, seats: null }).toEqual({ ...afresh, seats: null })
  return { ...usedBy(counted), ...found }
}

function usedBy({ ran, trips }: ReturnType<typeof countedEnv>) {
  const rows = ran.reduce((sum, { read }) => sum + read, 0)
  const instants = ran.flatMap(({ values }) => values.filter((value) => Number(value) > dayFromNow(1)))
  return { rows, asked: ran.length, trips: trips.count, from: Math.min(...instants.map(Number)) }
}

it('a month in any other zone, and any part of it, reads the version alone', async () => {
  const id = await team()
  expect((await readFor(id, MONTH)).starts.length).toBeGreaterThan(100)
  const others: Asked[] = [
    ...['Asia/Tokyo', 'Pacific/Kiritimati', 'Etc/GMT+12', 'America/St_Johns'].map((timezone) => ({
      ...MONTH,
      timezone,
    })),
    datesFrom(3, 20),
    datesFrom(30, 1),
    { ...datesFrom(9, 1), timezone: 'Australia/Lord_Howe', duration: 30 },
  ]
  for (const other of others) {
    const { rows, asked } = await readFor(id, other)
    expect([other, rows <= 4, asked]).toEqual([other, true, 1])
  }
  // Another duration has other starts.
  expect((await readFor(id, { ...MONTH, duration: 60 })).asked).toBeGreaterThan(1)
  expect((await readFor(id, { ...datesFrom(2, 5), duration: 60 })).asked).toBe(1)
})

it('a range that overlaps what is known loads only the weeks that are missing', async () => {
  const id = await team()
  await readFor(id, MONTH)
  const knownUntil = dayFromNow(31) + DAY_MS / 2
  const next = await readFor(id, datesFrom(16))
  expect(next.from).toBe(Math.floor(knownUntil / WEEK_MS) * WEEK_MS)
  expect(next.trips).toBe(2)
  const both = await readFor(id, datesFrom(10))
  expect([both.asked, both.rows <= 4]).toEqual([1, true])
})

it('nothing that is open in a range, and what is open after it, are known in other zones too', async () => {
  const organization = await createOrganization()
  const first = dayFromNow(40)
  const { id } = await createEventType(organization.liveKey, { bookable_from: dateOf(first) })
  expect((await readFor(id, MONTH)).nextAvailable).toBeGreaterThanOrEqual(first)
  expect((await readFor(id, { ...MONTH, timezone: 'Asia/Tokyo' })).asked).toBe(1)
  expect((await readFor(id, datesFrom(2, 10))).nextAvailable).toBeGreaterThanOrEqual(first)
})

it('a booking is missing at once from what is known in every zone', async () => {
  const id = await team()
  const { starts } = await readFor(id, MONTH)
  await readFor(id, { ...MONTH, timezone: 'Asia/Tokyo' })
  for (const _host of ['one', 'two', 'three']) {
    expect((await bookAsAnother(id, starts[50]!)).status).toBe(201)
  }
  for (const timezone of ['Asia/Tokyo', 'UTC', 'America/Lima']) {
    expect((await readFor(id, { ...MONTH, timezone })).starts).not.toContain(starts[50])
  }
})

it('a search reads the version alone for a week that availability has found', async () => {
  const id = await team()
  const { starts } = await readFor(id, MONTH)
  const counted = countedEnv()
  const [from, to] = [dayFromNow(10), dayFromNow(12)]
  const query = { event_type_ids: [id], from: { instant: from }, to: { instant: to }, limit: 5 }
  const found = await searchOpenStarts({ env: counted.env, now: Date.now() } as Context, query as never)
  const told = found.data.map(({ start_time }) => Date.parse(start_time))
  expect(told).toEqual(starts.filter((start) => start >= from).slice(0, 5))
  expect(usedBy(counted)).toMatchObject({ asked: 1 })
})
