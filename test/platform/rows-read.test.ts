import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'
import { type Db, openDb, type Statement } from '../../src/platform/db/client.ts'
import { fenceOf } from '../../src/platform/db/refusals.ts'
import { freshAddress } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { iso } from '../support/factories.ts'
import { fillHistory, type History } from '../support/history.ts'
import { ONCE, statementsOf } from '../support/statements.ts'

const DAY_MS = 86_400_000

let past: History
beforeAll(async () => {
  past = await fillHistory(20_000)
}, 60_000)

/** What the database read for an answer, and the items of that. */
async function readFor(path: string, key = past.organization.liveKey) {
  const counted = countedEnv()
  const headers = { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': freshAddress() }
  const request = new Request(`https://holdfast.test${path}`, { headers })
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], counted.env)
  const body = await response.json<any>()
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  const ids: string[] = (body.data ?? []).map(({ id }: { id: string }) => id)
  return {
    rows: counted.ran.reduce((sum, { read }) => sum + read, 0),
    ids,
    hasMore: body.has_more as boolean,
  }
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

type Known = Readonly<Record<'id' | 'status' | 'event_type_id' | 'assigned_host_id', string>> & {
  readonly start_time: number
}

async function allBookings(): Promise<Known[]> {
  const { results } = await env.DB.prepare(
    'SELECT * FROM bookings WHERE organization_id = ? AND is_test = 0 ORDER BY id DESC',
  )
    .bind(past.organization.id)
    .all<Known>()
  return results
}

/** A page of what is asked for and one more, found by looking through everything. */
function meant(everything: readonly Known[], query: URLSearchParams): string[] {
  const is = (name: keyof Known, value: string) =>
    !query.has(name) || query.get(name)!.split(',').includes(value)
  const after = Date.parse(query.get('start_after') ?? '') || Number.NEGATIVE_INFINITY
  const before = Date.parse(query.get('start_before') ?? '') || Number.POSITIVE_INFINITY
  const found: string[] = []
  for (const one of everything) {
    if (found.length > 20) break
    if (!(is('status', one.status) && is('event_type_id', one.event_type_id))) continue
    if (!is('assigned_host_id', one.assigned_host_id)) continue
    if (one.start_time <= after || one.start_time >= before) continue
    if (query.has('starting_after') && one.id >= query.get('starting_after')!) continue
    found.push(one.id)
  }
  return found
}

describe('a page of bookings', () => {
  const filters = () => ({
    status: ['status=confirmed', 'status=pending_payment', 'status=cancelled,pending_payment'],
    eventType: [`event_type_id=${past.everyday}`, `event_type_id=${past.retired}`],
    host: [`assigned_host_id=${past.host}`, `assigned_host_id=${past.formerHost}`],
    email: ['invitee_email=rare@example.com'],
    after: [`starting_after=${past.middle}`],
  })

  it('reads one page of each status at most, however rare what is asked for is', async () => {
    const paths = combinations(filters()).map((query) => `/v1/bookings?${query}`)
    expect(await tooMany(paths, 6 * 21)).toEqual([])
    expect(await tooMany(['/v1/bookings?limit=100'], 5 * 101)).toEqual([])
  })

  it('reads as little from the oldest on, backwards, and of several event types', async () => {
    const { status, host } = filters()
    const eventType = [`event_type_id=${past.everyday},${past.retired}`]
    const from = ['order=asc', `ending_before=${past.middle}`, `created_after=${iso(past.now - DAY_MS)}`]
    const paths = combinations({ status, host, from }).map((query) => `/v1/bookings?${query}`)
    expect(await tooMany(paths, 7 * 21)).toEqual([])
    const ofTypes = combinations({ status, eventType, host, from }).map((query) => `/v1/bookings?${query}`)
    expect(await tooMany(ofTypes, 2 * 5 * 21)).toEqual([])
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
    const everything = await allBookings()
    for (const path of paths) {
      const { rows, ids, hasMore } = await readFor(path)
      // 500 tell how wide it is, as many are all of it, and as many start later than the past.
      expect([path, Math.max(rows, 3 * 500 + 5 * 21)]).toEqual([path, 3 * 500 + 5 * 21])
      const wanted = meant(everything, new URL(path, 'https://holdfast.test').searchParams)
      expect([path, ids, hasMore]).toEqual([path, wanted.slice(0, 20), wanted.length > 20])
    }
  }, 120_000)
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
    // Rows of their own, and bookings of each status that are their own entries.
    expect(await tooMany(activity, 12 * 21)).toEqual([])
    const paths = [...deliveries, ...payments, ...ofOrganization, ...others]
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

describe('the queries and statements', () => {
  const files = import.meta.glob<Record<string, unknown>>(
    ['../../src/**/{queries,statements}.ts', '../../src/platform/auth/key-hashes.ts'],
    { eager: true },
  )
  /** Takes rows, and asks nothing. */
  const PURE = [
    'changesSince',
    'isUnpaid',
    'isOnPage',
    'organizationWide',
    'inTenant',
    'ownerOf',
    'selectBeyondDay',
    'bookedIds',
    'hasNumber',
    'isUnclaimed',
    'isReminderDue',
    'percentUsed',
    'percentNoticed',
    'organizationFacts',
    'ownCalendars',
    'bookableColumn',
    'heldOf',
    'heldOrPackedOf',
    'packedFortnight',
    'fortnightOf',
    'busyOf',
    'foreignBusyOf',
    'expiredOf',
    'indexFor',
    'matches',
    'matchesButStatus',
    'statusesOf',
    'isAmong',
    'startsInRange',
    'hostedTogetherBy',
    'takesPart',
    'isOfMember',
    'mergedByCreation',
    'mergedByStart',
    'hasFewBookings',
  ]
  const COLUMNS = /^(sender|about|owner|ownerAnd|people|peopleOfEvent|caused|isQuiet)Column$/

  it('look through no table and read few rows, in every query and statement that they have', async () => {
    const statements = await statementsOf(openDb(env, 'decide'), past)
    const told: string[] = []
    for (const [path, exported] of Object.entries(files)) {
      const file = path.replace(/^(\.\.\/)+src\//, '')
      for (const [name, value] of Object.entries(exported)) {
        if (typeof value !== 'function' || PURE.includes(name) || COLUMNS.test(name)) continue
        const known = statements[file]?.[name]
        if (known === undefined) {
          told.push(`${file} ${name} is not in test/support/statements.ts`)
          continue
        }
        if (known === ONCE) continue
        const [run, most] = typeof known === 'function' ? [known, 3 * 21] : known
        const { read, scans, bare } = await runCounted(run).catch((error: unknown) => {
          told.push(`${file} ${name}: ${error}`)
          return { read: 0, scans: [], bare: [] }
        })
        if (read > most) told.push(`${file} ${name} read ${read} rows`)
        for (const scan of scans) told.push(`${file} ${name}: ${scan}`)
        for (const column of bare) told.push(`${file} ${name}: ${column} may be of another table`)
      }
    }
    expect(told).toEqual([])
  })
})

/** Lists of a call's own, what a query has made itself, and what waits to be handled. */
const IS_SHORT =
  /^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS|\d+-ROW VALUES CLAUSE|\(subquery-\d+\)|met|counted|listed|changed|booked|line|owing|due|told|asked|taking|place|moved|nearest|ended|newest|(json_each|due|seat|day|one|piece|asked|unit|required) .*|events USING INDEX events_unhandled)$/

/** Runs it, and has the database tell how it goes about each of its statements. */
async function runCounted(run: (db: Db) => unknown) {
  const counted = countedEnv()
  const db = openDb(counted.env, 'decide')
  const made = run(db)
  const statements = [made].flat().filter((one) => typeof (one as { toSQL?: unknown })?.toSQL === 'function')
  try {
    if (Array.isArray(made)) await db.batch(made as unknown as [Statement])
    else await made
  } catch (error) {
    if (fenceOf(error) !== 'STALE') throw error
  }
  const asked = [
    ...counted.ran,
    ...(statements as { toSQL(): { sql: string; params: unknown[] } }[]).map((one) => {
      const { sql, params } = one.toSQL()
      return { sql, values: params, read: 0 }
    }),
  ]
  const scans: string[] = []
  for (const { sql, values } of asked) {
    const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...values)
      .all<{ detail: string }>()
    const steps = plan.results.map(({ detail }) => detail)
    scans.push(...steps.filter((step) => step.startsWith('SCAN ') && !IS_SHORT.test(step)))
  }
  const bare = asked.flatMap(({ sql }) => bareColumns(sql))
  return {
    read: asked.reduce((sum, { read }) => sum + read, 0),
    scans: [...new Set(scans)],
    bare: [...new Set(bare)],
  }
}

/**
 * Columns that Drizzle names without their table, because its query has only one, inside a subquery of ours with tables of its
 * own: there the name means the inner table's column, if that has one of this name.
 */
function bareColumns(query: string): string[] {
  const found: string[] = []
  const scopes: { isQuery: boolean; hasTables: boolean; bare: string[] }[] = []
  const tokens =
    /'(?:[^']|'')*'|\((?:\s*(?:SELECT|WITH)\b)?|\)|\b(?:FROM|JOIN)\s+"?\w+|(?<![."\w])"(\w+)"(?!\.)/g
  for (const [token, column] of query.matchAll(tokens)) {
    const scope = scopes.findLast(({ isQuery }) => isQuery)
    if (token.startsWith('(')) scopes.push({ isQuery: token.length > 1, hasTables: false, bare: [] })
    else if (token === ')') found.push(...told(scopes.pop()))
    else if (column !== undefined) scope?.bare.push(column)
    else if (scope && /^\w+\s+\w+$/.test(token)) scope.hasTables = true
  }
  return found
}

function told(scope: { hasTables: boolean; bare: string[] } | undefined): string[] {
  return scope?.hasTables ? scope.bare : []
}
