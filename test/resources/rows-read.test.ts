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
