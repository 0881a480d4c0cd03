import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { freshAddress } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { iso } from '../support/factories.ts'
import { fillHistory, type History } from '../support/history.ts'

const DAY_MS = 86_400_000

let past: History
beforeAll(async () => {
  past = await fillHistory(20_000)
}, 60_000)

/** What the database read for an answer, and how many items that has. */
async function readFor(path: string, key = past.organization.liveKey) {
  const counted = countedEnv()
  const headers = { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': freshAddress() }
  const request = new Request(`https://holdfast.test${path}`, { headers })
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], counted.env)
  const body = await response.json<any>()
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return { rows: counted.ran.reduce((sum, { read }) => sum + read, 0), items: body.data?.length as number }
}

/** Every choice of one value, or none, for each name. */
function combinations(filters: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.values(filters).reduce<string[]>(
    (made, values) => made.flatMap((query) => [query, ...values.map((value) => `${query}&${value}`)]),
    [''],
  )
}

async function tooMany(paths: readonly string[], bound: number): Promise<string[]> {
  const told: string[] = []
  for (const path of paths) {
    const { rows } = await readFor(path)
    if (rows > bound) told.push(`${rows} for ${path}`)
  }
  return told
}

describe('a page of bookings', () => {
  const filters = () => ({
    status: ['status=confirmed', 'status=cancelled', 'status=pending_payment'],
    eventType: [`event_type_id=${past.everyday}`, `event_type_id=${past.retired}`],
    host: [`assigned_host_id=${past.host}`, `assigned_host_id=${past.formerHost}`],
    email: ['invitee_email=rare@example.com'],
    after: [`starting_after=${past.middle}`],
  })

  it('reads one page of each status at most, however rare what is asked for is', async () => {
    const paths = combinations(filters()).map((query) => `/v1/bookings?${query}`)
    expect(await tooMany(paths, 5 * 21)).toEqual([])
    expect(await tooMany(['/v1/bookings?limit=100'], 5 * 101)).toEqual([])
  })

  it('reads a narrow range of starts as a whole, and finds a page of a wide one without', async () => {
    const { now } = past
    const ranges = [
      `start_after=${iso(now)}`,
      `start_before=${iso(now)}`,
      `start_after=${iso(now - 1_000 * DAY_MS)}`,
      `start_after=${iso(now - 40 * DAY_MS)}&start_before=${iso(now - 39 * DAY_MS)}`,
    ]
    const { email: _, ...others } = filters()
    const paths = combinations({ ...others, ranges })
      .filter((query) => query.includes('start_'))
      .map((query) => `/v1/bookings?${query}`)
    // 500 tell how wide it is, as many are all of it, and as many start later than the past.
    expect(await tooMany(paths, 3 * 500 + 5 * 21)).toEqual([])
  })
})

describe('a page of anything else', () => {
  it('reads no more than the page, of each status or action that there is', async () => {
    const { organization, endpoint, everyday, retired, middle } = past
    const activity = combinations({
      action: ['action=event_type.updated', 'action=booking.cancelled', 'action=never.happened'],
      type: ['resource_type=event_type', 'resource_type=booking'],
      resource: [`resource_id=${retired}`],
      after: [`starting_after=${middle}`],
    }).map((query) => `/v1/activity?${query}`)
    const deliveries = ['', '?status=failed', '?status=pending', '?status=success'].map(
      (query) => `/v1/webhooks/${endpoint}/deliveries${query}`,
    )
    const payments = ['', '?status=failed', '?status=pending', '?status=succeeded', '/summary'].map(
      (query) => `/v1/payments${query}`,
    )
    const ofOrganization = ['members', 'invitations'].map(
      (list) => `/v1/organizations/${organization.id}/${list}`,
    )
    const others = [
      '/v1/events',
      '/v1/events?after=10000',
      '/v1/webhooks',
      '/v1/api-keys',
      '/v1/support',
      '/v1/event-types',
      '/v1/event-types?active=false',
      `/v1/event-types/${everyday}/hosts`,
      '/v1/conferencing',
      '/v1/usage',
      '/v1/usage/summary?period=7d',
      '/v1/usage/summary?period=30d',
    ]
    const paths = [...activity, ...deliveries, ...payments, ...ofOrganization, ...others]
    expect(await tooMany(paths, 7 * 21)).toEqual([])
    expect((await readFor('/v1/test-data/outbox', organization.testKey)).rows).toBeLessThan(3 * 21)
  })

  it('counts each line of a waitlist through once, for a page and for one entry', async () => {
    const lines = 2 * 200
    const paths = combinations({
      status: ['status=waiting', 'status=promoted', 'status=cancelled'],
      eventType: [`event_type_id=${past.everyday}`, `event_type_id=${past.retired}`],
      limit: ['limit=100'],
    }).map((query) => `/v1/waitlist?${query}`)
    expect(await tooMany(paths, 4 * lines + 4 * 2 * 101)).toEqual([])
    expect(await tooMany([`/v1/waitlist/${past.lastWaiting}`], 250)).toEqual([])
  })
})
