import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import { openStripe } from '../../doubles/stripe/open-stripe.ts'
import type { Json } from '../../doubles/world.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { amount } from '../support/chance.ts'
import { providerEvent } from '../support/provider-events.ts'
import { queryState, type Row, SERVICE_KEY, type Service, startService } from '../support/service.ts'

const BOOKINGS = amount(12, 96)
const CLIENTS = 8
const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const DAY_MS = 48 * HALF_HOUR_MS
const FIRST = (Math.floor(Date.now() / DAY_MS) + 2) * DAY_MS
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))
const SETTLED = { timeout: 60_000, interval: 500 }

let directory: string
let bundle: string
let service: Service
let doubles: Doubles
let provider: string
let accountId: string
let organizationId = ''
let key: string
let eventTypeId: string
let callers = 0

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  callers += 1
  const response = await fetch(new URL(path, service.url), {
    method,
    headers: {
      'CF-Connecting-IP': `10.2.${callers >> 8}.${callers & 255}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as any }
}

async function call(method: string, path: string, body?: unknown, bearer = key) {
  const scope = bearer === SERVICE_KEY && organizationId ? { 'X-Org-Id': organizationId } : {}
  const answer = await send(method, path, body, { Authorization: `Bearer ${bearer}`, ...scope })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer.body
}

async function control<T = Json>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${provider}/control${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return text === '' ? (null as T) : JSON.parse(text)
}

/** An account at the provider that takes payments. */
async function openAccount(): Promise<string> {
  const response = await fetch(`${provider}/v1/accounts`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_double' },
    body: new URLSearchParams({ country: 'DE', 'controller[stripe_dashboard][type]': 'full' }),
  })
  const { id } = (await response.json()) as Json
  await control('POST', `/accounts/${id}/onboard`, {})
  return id
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'payments-'))
  doubles = await startDoubles({ stripe: openStripe })
  provider = `${doubles.url}/stripe/e2e`
  accountId = await openAccount()
  bundle = await takeBuilt(directory)
  const now = Date.now()
  organizationId = ''
  service = await startService(bundle, directory, provider)
  const named = { name: 'Paid', owner_user_id: randomUUID() }
  organizationId = (await call('POST', '/v1/organizations', named, SERVICE_KEY)).id
  await call('PATCH', `/v1/organizations/${organizationId}`, { tier: 'scale' }, SERVICE_KEY)
  key = (await call('POST', '/v1/api-keys', { name: 'paid' }, SERVICE_KEY)).key
  const input = { title: 'Paid', slug: 'paid', duration_minutes: 30, price_amount: 5_000 }
  eventTypeId = (await call('POST', '/v1/event-types', input)).id
  await call('PUT', `/v1/event-types/${eventTypeId}/availability`, { rules: ALL_DAY })
  await service.kill()
  queryState(directory, [
    `INSERT INTO payment_accounts (organization_id, account_id, charges_enabled, payouts_enabled, connected_at, created_at,
      updated_at) VALUES ('${organizationId}', '${accountId}', 1, 1, ${now}, ${now}, ${now})`,
  ])
  service = await startService(bundle, directory, provider)
})

afterAll(async () => {
  await service?.kill()
  await doubles?.stop()
  await rm(directory, { recursive: true, force: true })
})

async function inParallel<T>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < items.length) {
      const at = next++
      await work(items[at]!, at)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

function bookAt(at: number) {
  const body = {
    event_type_id: eventTypeId,
    start_time: new Date(FIRST + at * HALF_HOUR_MS).toISOString(),
    invitee_name: 'Ada Lovelace',
    invitee_email: `ada-${at}@example.com`,
  }
  return send('POST', '/v1/bookings', body, { 'Idempotency-Key': `checkout-${at}` })
}

/** The cron as it runs `minutes` later. */
async function sweep(minutes: number): Promise<void> {
  const time = Date.now() + minutes * MINUTE_MS
  await (await fetch(new URL(`/cdn-cgi/local/scheduled?time=${time}`, service.url))).text()
}

async function restart(): Promise<void> {
  service = await startService(bundle, directory, provider)
}

async function intents(): Promise<Json[]> {
  return (await control<Json[]>('GET', '/objects?of=pi_')).filter(({ object }) => object === 'payment_intent')
}

async function tell(kind: string, object: Json): Promise<void> {
  const { body, headers } = await providerEvent(kind, object, { account: accountId })
  await send('POST', '/v1/payment-provider/webhook', body, headers)
}

async function listBookings(): Promise<any[]> {
  return (await call('GET', '/v1/bookings?limit=100')).data
}

it('agrees with the provider on every payment when the process is killed while people book, pay and give up', async () => {
  const numbers = Array.from({ length: BOOKINGS }, (_, at) => at)
  await control('PUT', '/troubles', [{ about: 'POST /v1/payment_intents ', times: null, delayMs: 150 }])
  let answered = 0
  let death: Promise<void> | null = null
  let lost = 0
  await inParallel(numbers, async (at) => {
    try {
      await bookAt(at)
      answered += 1
      if (answered === BOOKINGS / 2) death = service.kill()
    } catch {
      lost += 1
    }
  })
  await death
  expect(lost).toBeGreaterThan(0)
  await restart()

  // Whoever got no answer asks again, with the same key: nobody is in their own way for longer than a lease.
  await vi.waitFor(
    async () => {
      await inParallel(numbers, async (at) => {
        const { status, body } = await bookAt(at)
        expect([at, status, body.payment?.client_secret]).toEqual([
          at,
          201,
          expect.stringMatching(/_secret_/),
        ])
      })
    },
    { timeout: 90_000, interval: 2_000 },
  )
  const made = await listBookings()
  expect(made.map(({ status }) => status)).toEqual(Array.from({ length: BOOKINGS }, () => 'pending_payment'))
  expect(await intents()).toHaveLength(BOOKINGS)

  // Two of three pay. The process dies while it is being told.
  const paid = (await intents()).slice(0, (BOOKINGS / 3) * 2)
  for (const { id } of paid) await control('POST', `/intents/${id}/pay`, { how: 'succeed' })
  let told = 0
  await inParallel(paid, async (intent) => {
    try {
      await tell('payment_intent.succeeded', { ...intent, status: 'succeeded' })
      told += 1
      if (told === 12) death = service.kill()
    } catch {
      // The provider tells it again.
    }
  })
  await death
  await restart()
  await inParallel(paid, (intent) => tell('payment_intent.succeeded', { ...intent, status: 'succeeded' }))

  // The rest gives up, and the process dies while it does.
  const expiry = sweep(31).catch(() => {})
  await new Promise((done) => setTimeout(done, 300))
  await service.kill()
  await expiry
  await restart()
  await sweep(32)
  await vi.waitFor(async () => {
    await sweep(33)
    expect(Object.groupBy(await intents(), ({ status }) => status).requires_payment_method).toBeUndefined()
  }, SETTLED)

  await service.kill()
  const [rows, holds, quota, events] = queryState(directory, [
    `SELECT b.id, b.status AS booking, p.status AS payment, p.intent_id AS intent,
       (SELECT count(*) FROM holds WHERE holder_id = b.id) AS holds FROM bookings b JOIN payments p ON p.booking_id = b.id`,
    'SELECT count(*) AS n FROM holds',
    'SELECT sum(bookings) AS n FROM booking_quotas',
    "SELECT count(*) AS n, count(DISTINCT data ->> '$.id') AS bookings FROM events WHERE kind = 'booking.confirmed'",
  ])
  await restart()
  const byId = new Map((await intents()).map((intent) => [intent.id, intent.status]))
  const truth = (row: Row) => [row.booking, row.payment, row.holds, byId.get(row.intent as string)].join(' ')
  const counted = Object.groupBy(rows!, truth)
  expect(Object.keys(counted).sort()).toEqual([
    'cancelled cancelled 0 canceled',
    'confirmed succeeded 1 succeeded',
  ])
  expect(counted['confirmed succeeded 1 succeeded']).toHaveLength(paid.length)
  expect([holds![0]!.n, quota![0]!.n]).toEqual([paid.length, paid.length])
  expect(events![0]).toEqual({ n: paid.length, bookings: paid.length })
}, 280_000)
