import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askService } from '../support/ask-service.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { amount } from '../support/chance.ts'
import { type Behaviour, type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { queryState, SERVICE_KEY, type Service, startService } from '../support/service.ts'

const BOOKINGS = amount(24, 480)
const CLIENTS = 12
/** Bookings answered before the process is killed, in the middle of all others. */
const KILL_AFTER = BOOKINGS / 2
const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const DAY_MS = 48 * HALF_HOUR_MS
const FIRST = (Math.floor(Date.now() / DAY_MS) + 2) * DAY_MS
const FLAKY = { refusesEvery: 3, isPatient: true }
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

type Event = {
  readonly id: string
  readonly event: string
  readonly sequence: number
  readonly data: { id: string }
}
type Delivery = { readonly event_id: string; readonly status: string; readonly attempts: number }
type Page<T> = { readonly data: T[]; readonly has_more: boolean }

let directory: string
let bundle: string
let service: Service
let receiver: Receiver
let key: string
let eventTypeIds: string[]
let callers = 0

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  bearer = key,
  organizationId = '',
): Promise<T> {
  callers += 1
  const headers = {
    'CF-Connecting-IP': `10.1.${callers >> 8}.${callers & 255}`,
    ...(organizationId && { 'X-Org-Id': organizationId }),
  }
  return askService(service.url, method, path, body, bearer, headers)
}

/** A live key of an organization of its own. */
async function createOrganization(): Promise<string> {
  const named = { name: 'Storm', owner_user_id: randomUUID() }
  const { id } = await call<{ id: string }>('POST', '/v1/organizations', named, SERVICE_KEY)
  await call('PATCH', `/v1/organizations/${id}`, { tier: 'scale' }, SERVICE_KEY)
  return (await call<{ key: string }>('POST', '/v1/api-keys', { name: 'storm' }, SERVICE_KEY, id)).key
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'webhooks-'))
  receiver = await startReceiver()
  bundle = await takeBuilt(directory)
  service = await startService(bundle, directory)
  key = await createOrganization()
  eventTypeIds = await Promise.all([1, 2, 3, 4].map(() => createEventType(key)))
})

afterAll(async () => {
  await service?.kill()
  await receiver?.stop()
  await rm(directory, { recursive: true, force: true })
})

async function createEventType(bearer: string): Promise<string> {
  const input = {
    title: 'Storm',
    slug: `storm-${randomUUID()}`,
    duration_minutes: 30,
    minimum_notice_minutes: 0,
  }
  const { id } = await call<{ id: string }>('POST', '/v1/event-types', input, bearer)
  await call('PUT', `/v1/event-types/${id}/availability`, { rules: ALL_DAY }, bearer)
  return id
}

async function createEndpoint(name: string, behaviour: Behaviour): Promise<{ id: string; url: string }> {
  const url = `${receiver.url}/${name}`
  const events = ['booking.created', 'booking.cancelled', 'booking.rescheduled']
  const endpoint = await call<{ id: string; verification_status: string }>('POST', '/v1/webhooks', {
    url,
    events,
  })
  expect(endpoint.verification_status).toBe('verified')
  await behave(url, behaviour)
  return { id: endpoint.id, url }
}

async function behave(url: string, behaviour: Behaviour): Promise<void> {
  await fetch(url, { method: 'PUT', body: JSON.stringify(behaviour) })
}

/** Books, moves every third and cancels every fifth; whatever finds the service dead is given up. */
async function storm(): Promise<{ answered: string[]; lost: number }> {
  const answered: string[] = []
  let death: Promise<void> | null = null
  let lost = 0
  let next = 0
  const client = async () => {
    while (next < BOOKINGS) {
      const at = next++
      const start = (moved: number) => new Date(FIRST + (at * 2 + moved) * HALF_HOUR_MS).toISOString()
      try {
        const input = {
          event_type_id: eventTypeIds[at % eventTypeIds.length],
          start_time: start(0),
          invitee_name: 'Ada Lovelace',
          invitee_email: `ada-${at}@example.com`,
        }
        const { id } = await call<{ id: string }>('POST', '/v1/bookings', input)
        answered.push(id)
        if (answered.length === KILL_AFTER) {
          death = service.kill()
          await death
          return
        }
        if (at % 3 === 0) await call('POST', `/v1/bookings/${id}/reschedule`, { new_start_time: start(1) })
        if (at % 5 === 0) await call('POST', `/v1/bookings/${id}/cancel`, {})
      } catch (error) {
        if (!death) throw error
        lost += 1
        return
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { answered, lost }
}

async function readFeed(): Promise<Event[]> {
  const feed: Event[] = []
  for (;;) {
    const after = feed.at(-1)?.sequence ?? 0
    const { data, has_more } = await call<Page<Event>>('GET', `/v1/events?limit=100&after=${after}`)
    feed.push(...data)
    if (!has_more) return feed
  }
}

async function listDeliveries(endpointId: string): Promise<Delivery[]> {
  const found: (Delivery & { id: string })[] = []
  for (let after = ''; ; after = `&starting_after=${found.at(-1)!.id}`) {
    const path = `/v1/webhooks/${endpointId}/deliveries?limit=100${after}`
    const { data, has_more } = await call<Page<Delivery & { id: string }>>('GET', path)
    found.push(...data)
    if (!has_more) return found
  }
}

/** The cron as it runs a minute later. */
async function sweepLater(): Promise<void> {
  await fetch(new URL(`/cdn-cgi/local/scheduled?time=${Date.now() + MINUTE_MS + 1_000}`, service.url))
}

async function untilDelivered(endpointId: string, count: number): Promise<Delivery[]> {
  for (;;) {
    await sweepLater()
    await new Promise((done) => setTimeout(done, 2_000))
    const deliveries = await listDeliveries(endpointId)
    const open = deliveries.filter(({ status }) => status !== 'success')
    if (deliveries.length >= count && open.length === 0) return deliveries
  }
}

it('creates the first organization and its key with the commands of the operating guide', async () => {
  const lines = (await readFile(resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8'))
    .split('```sh\n')
    .map((block) => block.split('```')[0]!)
    .find((block) => block.startsWith('BASE_URL='))!
    .replace(/^BASE_URL=.*$/m, `BASE_URL=${new URL(service.url).origin}`)
    .replace(/^SERVICE_KEY=.*$/m, `SERVICE_KEY=${SERVICE_KEY}`)
  const { stdout } = await promisify(execFile)('sh', ['-c', lines])
  const [changed, made] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(changed).toMatchObject({ name: 'Acme', slug: 'acme' })
  const usage = await call<{ tier: string }>('GET', '/v1/usage', undefined, made.key)
  expect(usage.tier).toBe('grow')
})

it('delivers every event that was committed when the process is killed in a storm of bookings', async () => {
  const flaky = await createEndpoint('flaky', FLAKY)
  const slow = await createEndpoint('slow', { delayMs: 3_000 })
  const { answered, lost } = await storm()
  expect(lost).toBeGreaterThan(0)
  // An attempt that was on its way may never have arrived: refused now, its message would wait for minutes.
  const [tried] = queryState(directory, ['SELECT event_id FROM webhook_deliveries WHERE attempts > 0'])
  await behave(flaky.url, { ...FLAKY, spares: tried!.map(({ event_id }) => String(event_id)) })
  service = await startService(bundle, directory)

  const feed = await readFeed()
  expect(feed.map(({ sequence }) => sequence)).toEqual(feed.map((_, at) => at + 1))
  const created = feed.filter(({ event }) => event === 'booking.created').map(({ data }) => data.id)
  expect(created).toEqual(expect.arrayContaining(answered))

  const ids = feed.map(({ id }) => id).sort()
  const all = await Promise.all([flaky, slow].map(({ id }) => untilDelivered(id, feed.length)))
  for (const deliveries of all) expect(deliveries.map(({ event_id }) => event_id).sort()).toEqual(ids)
  expect(all[0]!.some(({ attempts }) => attempts > 1)).toBe(true)

  for (const { url } of [flaky, slow]) {
    const received = (await (await fetch(url)).json()) as Received[]
    const taken = received.filter(
      ({ status, body }) => status === 200 && !body.includes('webhook.verification'),
    )
    expect([...new Set(taken.map(({ headers }) => headers['webhook-id']))].sort()).toEqual(ids)
    const bodies = new Map(taken.map(({ body }) => [JSON.parse(body).id, JSON.parse(body)]))
    for (const event of feed) expect(bodies.get(event.id)).toEqual(event)
  }

  await service.kill()
  const [[doubles]] = queryState(directory, [
    'SELECT count(*) AS n FROM (SELECT 1 FROM webhook_deliveries GROUP BY endpoint_id, event_id HAVING count(*) > 1)',
  ]) as [[{ n: number }]]
  expect(doubles.n).toBe(0)
})
