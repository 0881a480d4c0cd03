import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { amount, chance, SEED } from '../support/chance.ts'
import { queryState, SERVICE_KEY, type Service, startService } from '../support/service.ts'

const CRASHES = amount(2, 12)
const CLIENTS = 4
const COUNT = 12
const DAY_MS = 86_400_000
const FIRST = Math.floor(Date.now() / DAY_MS) * DAY_MS + 7 * DAY_MS
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

let directory: string
let bundle: string
let service: Service
let key: string
let eventTypeId: string
let made = 0

async function call(method: string, path: string, body: unknown, bearer: string, more = {}) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}`, ...more }
  const response = await fetch(new URL(path, service.url), { method, headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as any }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'series-crash-'))
  bundle = await takeBuilt(directory)
  service = await startService(bundle, directory)
  const named = { name: 'Crash', owner_user_id: randomUUID() }
  const { id } = (await call('POST', '/v1/organizations', named, SERVICE_KEY)).body
  await call('PATCH', `/v1/organizations/${id}`, { tier: 'scale' }, SERVICE_KEY)
  key = (await call('POST', '/v1/api-keys', { name: 'crash' }, SERVICE_KEY, { 'X-Org-Id': id })).body.key
  const input = { title: 'Lesson', slug: 'lesson', duration_minutes: 30, timezone: 'UTC' }
  eventTypeId = (await call('POST', '/v1/event-types', input, key)).body.id
  await call('PUT', `/v1/event-types/${eventTypeId}/availability`, { rules: ALL_DAY }, key)
})

afterAll(async () => {
  await service?.kill()
  await rm(directory, { recursive: true, force: true })
})

const { roll } = chance(SEED)

/** Books series of its own, and cancels every third, until the service dies. Answers with those that were acknowledged. */
async function client(isOver: () => boolean): Promise<string[]> {
  const acknowledged: string[] = []
  while (!isOver()) {
    const start_time = new Date(FIRST + made++ * 1_800_000).toISOString()
    const body = { event_type_id: eventTypeId, start_time, count: COUNT, on_conflict: 'skip' }
    const invitee = { invitee_name: 'Ada', invitee_email: `${randomUUID()}@example.com` }
    try {
      const { status, body: series } = await call('POST', '/v1/series', { ...body, ...invitee }, key)
      if (status === 201) acknowledged.push(series.id)
      if (status === 201 && roll() < 0.33) await call('POST', `/v1/series/${series.id}/cancel`, {}, key)
    } catch {
      return acknowledged
    }
  }
  return acknowledged
}

/** Each series has the bookings that its event names, all of one fate, and each booking its hold and its events. */
function expectWhole(acknowledged: readonly string[]): void {
  const [torn, mixed, holds, events, stored] = queryState(directory, [
    `WITH named AS MATERIALIZED (SELECT data ->> 'id' AS id, json_array_length(data, '$.bookings') AS many
       FROM events WHERE kind = 'series.created'),
     made AS MATERIALIZED (SELECT series_id AS id, count(*) AS many FROM bookings GROUP BY series_id)
     SELECT made.id FROM made FULL JOIN named ON named.id = made.id WHERE made.many IS NOT named.many`,
    `SELECT series_id FROM bookings GROUP BY series_id HAVING count(DISTINCT status) <> 1`,
    `SELECT b.id FROM (SELECT * FROM bookings WHERE status <> 'cancelled') b
     FULL JOIN holds h ON h.holder_id = b.id WHERE b.id IS NULL OR h.holder_id IS NULL`,
    `WITH told AS MATERIALIZED (SELECT data ->> 'id' AS id, count(*) FILTER (WHERE kind = 'booking.created') AS created,
       count(*) FILTER (WHERE kind = 'booking.cancelled') AS cancelled FROM events GROUP BY data ->> 'id')
     SELECT b.id FROM bookings b LEFT JOIN told ON told.id = b.id
     WHERE told.created IS NOT 1 OR told.cancelled IS NOT (b.status = 'cancelled')`,
    `SELECT id FROM series`,
  ])
  expect([torn, mixed, holds, events]).toEqual([[], [], [], []])
  const ids = new Set(stored!.map(({ id }: any) => id))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
}

it('leaves no series half made or half cancelled, whenever the service dies', async () => {
  const acknowledged: string[] = []
  for (let crash = 0; crash < CRASHES; crash++) {
    let isDead = false
    const clients = Array.from({ length: CLIENTS }, () => client(() => isDead))
    await new Promise((go) => setTimeout(go, 1_500 + roll() * 500))
    await service.kill()
    isDead = true
    acknowledged.push(...(await Promise.all(clients)).flat())
    expectWhole(acknowledged)
    service = await startService(bundle, directory)
  }
  expect(acknowledged.length).toBeGreaterThan(CRASHES)
}, 120_000)
