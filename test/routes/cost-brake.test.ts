import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Env } from '../../src/env.ts'
import worker from '../../src/index.ts'
import { FREE_CALLS, MOST_ROWS } from '../../src/platform/limits/cost-count.ts'
import { EventTypeKeeper } from '../../src/worker/objects/event-type-keeper.ts'
import { freshAddress } from '../support/app.ts'
import { databaseThrough } from '../support/database-through.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
  type Organization,
} from '../support/factories.ts'
import { stayInOneMinute } from '../support/minute.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly body?: object }

/** A service whose database says that every round trip read `rows` more, and answers once it is `opened`. */
function dearService(
  rows: number,
  limit: () => Promise<{ success: boolean }> = async () => ({ success: true }),
  opened: Promise<void> = Promise.resolve(),
) {
  const reported: string[] = []
  const works: Promise<unknown>[] = []
  const keepers = new Map<string, EventTypeKeeper>()
  const DB = databaseThrough(async (ask) => {
    await opened
    const answer = await ask()
    const results = (Array.isArray(answer) ? answer : [answer]) as Partial<D1Result>[]
    const meta = results.find((one) => one.meta)?.meta
    if (meta) meta.rows_read += rows
    return answer
  })
  const own = {
    ...env,
    DB,
    COST_LIMIT: {
      limit: ({ key }: { key: string }) => {
        reported.push(key)
        return limit()
      },
    },
    EVENTS: { sendBatch: async () => {} },
    EVENT_TYPES: {
      getByName: (id: string) => {
        const keeper = keepers.get(id) ?? new EventTypeKeeper(own, own, (work) => void works.push(work))
        keepers.set(id, keeper)
        return keeper
      },
    },
  } as unknown as Env

  async function ask(path: string, ip: string, { headers, body }: Sent = {}) {
    const request = new Request(`https://holdfast.test${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        'CF-Connecting-IP': ip,
        ...(body && { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }),
        ...headers,
      },
    })
    const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], own)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { ask, reported }
}

/** As many calls, one after another. */
async function statusesOf(count: number, ask: () => Promise<{ readonly status: number }>): Promise<number[]> {
  const statuses: number[] = []
  for (let made = 0; made < count; made++) statuses.push((await ask()).status)
  return statuses
}

function times(count: number, status: number): number[] {
  return Array.from({ length: count }, () => status)
}

const first = dayFromNow(3)
let organization: Organization
let id: string
let slug: string
beforeAll(async () => {
  organization = await createOrganization({ tier: 'scale' })
  ;({ id, slug } = await createEventType(organization.liveKey, { booking_page_enabled: true }))
})
beforeEach(() => stayInOneMinute(20))

function monthPath(eventTypeId = id): string {
  const [start, end] = [dateOf(first), dateOf(first + 30 * DAY_MS)]
  return `/v1/availability?event_type_id=${eventTypeId}&start=${start}&end=${end}&timezone=UTC`
}

function searchPath(): string {
  return `/v1/availability/search?event_type_ids=${id}&from=${iso(first)}&to=${iso(first + DAY_MS)}&limit=3`
}

function tool(name: string, args: object, at = 1) {
  return { jsonrpc: '2.0', id: at, method: 'tools/call', params: { name, arguments: args } }
}

const MCP = { 'MCP-Protocol-Version': '2025-03-26' }

describe('what the calls of a network read in a minute', () => {
  it('is limited to 20,000 rows: then 429 that says which limit it is and when the minute ends', async () => {
    const { ask } = dearService(1_500)
    const ip = freshAddress()
    const statuses = await statusesOf(20, () => ask(searchPath(), ip))
    const answered = statuses.filter((status) => status === 200).length
    expect(statuses).toEqual([...times(answered, 200), ...times(20 - answered, 429)])
    // Each of them reads 1,500 rows and a few.
    expect([answered >= FREE_CALLS.call, answered <= Math.ceil(MOST_ROWS / 1_500)]).toEqual([true, true])
    const { headers, text } = await ask(searchPath(), ip)
    const { error, retry_after } = JSON.parse(text)
    expect(error.code).toBe('rate_limit_exceeded')
    expect(error.details).toEqual({ limit: 'cost', retry_after })
    expect(headers.get('retry-after')).toBe(String(retry_after))
    expect(retry_after).toBeGreaterThan(0)
    expect(retry_after).toBeLessThanOrEqual(60)
  })

  it('is counted together for a /64, and not for callers with a key or other networks', async () => {
    const { ask } = dearService(5_000)
    let made = 0
    const askFromNet = () => ask(monthPath(), `2001:db8:77:9::${(++made).toString(16)}`)
    expect((await statusesOf(20, askFromNet)).at(-1)).toBe(429)
    expect((await ask(monthPath(), '2001:db8:77:a::1')).status).toBe(200)
    const headers = { Authorization: `Bearer ${organization.liveKey}` }
    const keyed = () => ask('/v1/event-types', '2001:db8:77:9::1', { headers })
    expect(await statusesOf(20, keyed)).toEqual(times(20, 200))
    expect((await askFromNet()).status).toBe(429)
  })

  it.each([
    ['pages', () => `/book/${organization.slug}`],
    ['booking pages', () => `/book/${organization.slug}/${slug}`],
    ['embedded pages', () => `/book/${organization.slug}/${slug}?embed=1`],
    ['Markdown versions', () => `/book/${organization.slug}.md`],
  ])('is limited for %s, after their first 30 in a minute', async (_, path) => {
    const { ask } = dearService(5_000)
    const ip = freshAddress()
    const statuses = await statusesOf(FREE_CALLS.page + 2, () => ask(path(), ip))
    expect(statuses).toEqual([...times(FREE_CALLS.page, 200), 429, 429])
    const { headers, text } = await ask(path(), ip)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(text).toContain('Too many requests')
  })

  it('is limited for the JSON of pages, and each message of an agent begins a call', async () => {
    const { ask } = dearService(5_000)
    const json = freshAddress()
    const listing = () => ask(`/v1/public/booking-page/${organization.slug}`, json)
    expect((await statusesOf(FREE_CALLS.call + 1, listing)).at(-1)).toBe(429)

    const agent = freshAddress()
    const batch = Array.from({ length: 7 }, (_, at) =>
      tool('find_event_types', { organization: organization.slug }, at + 1),
    )
    const send = async () => JSON.parse((await ask('/mcp', agent, { body: batch, headers: MCP })).text)
    const [one, two] = [await send(), await send()]
    const errors = [...one, ...two].map(({ result }) => result.structuredContent.error?.details?.limit)
    expect(errors).toEqual([...times(12, 0).map(() => undefined), 'cost', 'cost'])
  })

  it('includes what the object of an event type reads for a booking', async () => {
    const { ask } = dearService(5_000)
    const ip = freshAddress()
    let start = first + 9 * HOUR_MS
    const book = () => {
      start += HOUR_MS / 2
      return ask('/v1/holds', ip, { body: { event_type_id: id, start_time: iso(start) } })
    }
    await statusesOf(4, book)
    const statuses = await statusesOf(9, () => ask('/v1/public/event-types/none', ip))
    expect(statuses.at(-1)).toBe(429)
    const invitee = bookingInput(id, start + HOUR_MS, {})
    expect((await ask('/v1/bookings', ip, { body: invitee })).status).toBe(429)
  })

  it('can pass the limit only by what 40 calls and the first ones read at a time', async () => {
    const { ask } = dearService(2_000)
    const ip = freshAddress()
    const all = await Promise.all(Array.from({ length: 100 }, () => ask(monthPath(), ip)))
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(40 + FREE_CALLS.call)
    expect(all.filter(({ status }) => status === 429)).not.toEqual([])
    expect((await ask(monthPath(), ip)).status).toBe(429)
  })

  it('refuses none of a hundred calls at a time that read little', async () => {
    const { ask } = dearService(0)
    const ip = freshAddress()
    const all = await Promise.all(Array.from({ length: 100 }, () => ask(monthPath(), ip)))
    expect(all.map(({ status }) => status)).toEqual(times(100, 200))
  })

  it('refuses calls for a second while 40 others do not end', async () => {
    let open = () => {}
    const opened = new Promise<void>((go) => {
      open = go
    })
    const { ask } = dearService(0, undefined, opened)
    const ip = freshAddress()
    const all = Array.from({ length: 45 }, () => ask(monthPath(), ip))
    const refused: (string | null)[] = []
    for (const call of all) {
      void call.then(({ status, headers }) => status === 429 && refused.push(headers.get('retry-after')))
    }
    await vi.waitFor(() => expect(refused).toEqual(['1', '1', '1', '1', '1']), 10_000)
    open()
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(40)
  })

  it('is reported after the answer in units of a thousand rows, and counts what other isolates reported', async () => {
    let isOver = false
    const { ask, reported } = dearService(0, async () => ({ success: !isOver }))
    const ip = freshAddress()
    await statusesOf(FREE_CALLS.call, () => ask(monthPath(), ip))
    expect(reported).toEqual([])
    const dear = dearService(1_000, async () => ({ success: !isOver }))
    await dear.ask(monthPath(), ip)
    expect(dear.reported).toEqual([ip])
    expect((await dear.ask(monthPath(), ip)).status).toBe(200)
    isOver = true
    expect((await dear.ask(monthPath(), ip)).status).toBe(200)
    expect((await dear.ask(monthPath(), ip)).status).toBe(429)
  })
})

describe('a person who pages through a year of a team of 500, searches and books', () => {
  it('never meets the limit', async () => {
    const team = await createOrganization({ tier: 'scale' })
    const type = await createEventType(team.liveKey, {
      assignment_strategy: 'round_robin',
      booking_page_enabled: true,
    })
    const ids = JSON.stringify(Array.from({ length: 500 }, (_, at) => `${type.id}-${at}`))
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO members (id, organization_id, user_id, user_email, role, created_at, updated_at)
         SELECT value, ?2, value, value || '@example.com', 'member', 1, 1 FROM json_each(?1)`,
      ).bind(ids, team.id),
      env.DB.prepare(
        `INSERT INTO event_type_hosts (id, event_type_id, member_id, resource_id, priority, weight, created_at)
         SELECT 'h' || value, ?2, value, value, 50, 100, 1 FROM json_each(?1)`,
      ).bind(ids, type.id),
    ])
    // Each answer reads what 500 hosts with full calendars read at worst.
    const { ask } = dearService(7_500)
    const ip = freshAddress()
    const page = `/book/${team.slug}/${type.slug}`
    const statuses = [(await ask(`/book/${team.slug}`, ip)).status]
    for (let month = 0; month < 12; month++) {
      const date = new Date(
        Date.UTC(new Date(first).getUTCFullYear(), new Date(first).getUTCMonth() + month, 1),
      )
      statuses.push((await ask(`${page}?month=${date.toISOString().slice(0, 7)}`, ip)).status)
    }
    const search = `/v1/availability/search?event_type_ids=${type.id}&from=${iso(first)}&to=${iso(first + 31 * DAY_MS)}`
    statuses.push((await ask(search, ip)).status)
    statuses.push(
      (await ask('/v1/bookings', ip, { body: bookingInput(type.id, first + 9 * HOUR_MS, {}) })).status,
    )
    expect(statuses).toEqual([...times(14, 200), 201])
  })
})
