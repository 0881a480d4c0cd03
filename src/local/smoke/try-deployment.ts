import { randomUUID } from 'node:crypto'
import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import { Failure } from '../failure.ts'
import { ask, type Headers, Run, type Say, UNSTOPPED } from './run.ts'
import type { SmokeSettings } from './settings.ts'

type Booking = { readonly id: string; readonly status: string; readonly invitee_email: string }
type OutboxItem = { readonly channel: string; readonly to: string }
type Delivery = {
  readonly event_id: string
  readonly payload: { readonly data: { readonly id: string } }
  readonly status: string
  readonly attempts: number
  readonly response_status_code: number | null
  readonly response_body: string | null
}
type Endpoint = {
  readonly id: string
  readonly verification_status: string
  readonly verification_last_error: string | null
}
type List<T> = { readonly data: readonly T[] }

/** Where the deployment receives what it sends itself. */
const RECEIVER = '/v1/test-data/webhook'
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

/**
 * Tries a deployment as its users do, in an organization of its own, which it deletes whatever happened. Throws a `Failure` that
 * says what to do.
 */
export async function tryDeployment(settings: SmokeSettings, stop: AbortSignal, say: Say): Promise<void> {
  const run = new Run(settings, stop, say)
  say(`Trying ${settings.url}`)
  let failure: unknown = null
  try {
    await tryAll(run)
  } catch (error) {
    failure = error
  }
  const left = await cleanUp(run)
  if (failure !== null) throw withLeft(failure, left, stop)
  if (left !== null) throw new Failure(left)
  say(`\n${settings.url} works.`)
}

async function tryAll(run: Run): Promise<void> {
  await run.step('health', () => run.must('GET', '/health'))
  const key = await run.step('sandbox organization', () => makeSandbox(run))
  const asKey = { Authorization: `Bearer ${key}` }
  const endpoint = await run.step('webhook to itself', () => makeEndpoint(run, asKey))
  const eventTypeId = await run.step('event type with hours', () => makeEventType(run, asKey))
  const booking = await run.step('booking', () => book(run, asKey, eventTypeId))
  await run.step('confirmation in the outbox', () => findConfirmation(run, asKey, booking))
  await run.step('webhook over the queues', () => findDelivery(run, asKey, endpoint, booking.id))
  await run.step('cancellation', () => cancel(run, asKey, booking.id))
  await run.step('cron', () => findSweep(run))
}

async function makeSandbox(run: Run): Promise<string> {
  const owner_user_id = `smoke-${randomUUID()}`
  const body = { name: 'Smoke test', owner_user_id, timezone: 'UTC' }
  const { id } = await run.must<{ id: string }>('POST', '/v1/organizations', {
    body,
    headers: run.asOperator,
  })
  run.organizationId = id
  const headers = { ...run.asOperator, 'X-Org-Id': id, 'X-Service-Mode': 'test' }
  const { key } = await run.must<{ key: string }>('POST', '/v1/api-keys', {
    body: { name: 'smoke' },
    headers,
  })
  return key
}

async function makeEndpoint(run: Run, headers: Headers): Promise<string> {
  const body = { url: run.url + RECEIVER, events: ['booking.created'] }
  const made = await run.must<Endpoint>('POST', '/v1/webhooks', { body, headers })
  if (made.verification_status === 'verified') return made.id
  throw new Failure(
    `The deployment could not reach itself at ${body.url}: ${made.verification_last_error}\nWebhooks to other addresses may work. Check that the domain's DNS record is proxied, that no access rule or challenge of the zone stops POST requests, and that compatibility_flags in wrangler.toml contain global_fetch_strictly_public.`,
  )
}

async function makeEventType(run: Run, headers: Headers): Promise<string> {
  const body = { title: 'Smoke test', slug: `smoke-${randomUUID()}`, duration_minutes: 30, timezone: 'UTC' }
  const { id } = await run.must<{ id: string }>('POST', '/v1/event-types', { body, headers })
  const path = `/v1/event-types/${id}/availability`
  await run.must('PUT', path, { body: { rules: EVERY_DAY }, headers })
  return id
}

async function book(run: Run, headers: Headers, eventTypeId: string): Promise<Booking> {
  const day = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10)
  const query = `event_type_id=${eventTypeId}&start=${day}&end=${day}&timezone=UTC`
  const { slots } = await run.must<{ slots: readonly { start_time: string }[] }>(
    'GET',
    `/v1/availability?${query}`,
    { headers },
  )
  const [first] = slots
  if (!first)
    throw new Failure(`No start is open on ${day}, though the event type is open all day. Report this.`)
  const body = {
    event_type_id: eventTypeId,
    start_time: first.start_time,
    invitee_name: 'Smoke test',
    invitee_email: 'smoke@example.com',
  }
  return run.must('POST', '/v1/bookings', { body, headers })
}

async function findConfirmation(run: Run, headers: Headers, booking: Booking): Promise<void> {
  const found = await run.waitFor(async () => {
    const { data } = await run.must<List<OutboxItem>>('GET', '/v1/test-data/outbox', { headers })
    return data.find((item) => item.channel === 'email' && item.to === booking.invitee_email) ?? null
  })
  if (!found) throw new Failure(NO_QUEUE)
}

/** The event went over one queue, the delivery over the other, and the deployment answered itself with the event's id. */
async function findDelivery(run: Run, headers: Headers, endpoint: string, bookingId: string): Promise<void> {
  let last: Delivery | undefined
  const found = await run.waitFor(async () => {
    const path = `/v1/webhooks/${endpoint}/deliveries`
    const { data } = await run.must<List<Delivery>>('GET', path, { headers })
    last = data.find(({ payload }) => payload.data.id === bookingId)
    return last?.status === 'success' ? last : null
  })
  if (!found) throw new Failure(last ? undelivered(last) : NO_QUEUE)
  if (found.response_body?.includes(found.event_id)) return
  throw new Failure(`The delivery was answered by something else: ${found.response_body}`)
}

function undelivered({ status, attempts, response_status_code: code }: Delivery): string {
  return `The delivery is ${status} after ${attempts} attempts, and the last answer was ${code ?? 'none'}.
Check the queue holdfast-webhooks: npx wrangler queues info holdfast-webhooks must name this Worker as a consumer. Then run this again while npx wrangler tail shows the log.`
}

const NO_QUEUE = `The booking's event was not handled in time.
Check the queue holdfast-events: npx wrangler queues info holdfast-events must name this Worker as a consumer, and delivery must not be paused. Then run this again while npx wrangler tail shows the log. --wait SECONDS waits longer.`

async function cancel(run: Run, headers: Headers, id: string): Promise<void> {
  const { status } = await run.must<Booking>('POST', `/v1/bookings/${id}/cancel`, { body: {}, headers })
  if (status !== 'cancelled')
    throw new Failure(`The booking is ${status} after it was cancelled. Report this.`)
}

const FRESH_MS = 5 * MINUTE_MS

async function findSweep(run: Run): Promise<void> {
  const path = '/v1/operator/health'
  const asked = { headers: run.asOperator }
  const found = await run.waitFor(async () => {
    const { last_sweep_at: at } = await run.must<{ last_sweep_at: string | null }>('GET', path, asked)
    return at !== null && Date.now() - Date.parse(at) < FRESH_MS ? at : null
  })
  if (found) return
  throw new Failure(
    'The sweep has not run in the last five minutes. Check [triggers] in wrangler.toml and the cron triggers of the Worker in the dashboard; a new trigger takes some minutes. Reminders and retries wait for it.',
  )
}

/** Deletes what was made, also after Ctrl-C: this request is not stopped. Returns what to do if it fails. */
async function cleanUp(run: Run): Promise<string | null> {
  const { organizationId: id } = run
  if (id === null) return null
  const url = `${run.url}/v1/operator/organizations/${id}?grace_days=0`
  const remove = async () => {
    const { status } = await ask(url, 'DELETE', { headers: run.asOperator }, UNSTOPPED)
    if (status >= 300) throw new Failure(`DELETE returned ${status}`)
    return null
  }
  return run
    .step('cleanup', remove)
    .catch(
      () =>
        `The organization ${id} was made for this test and is still there. Delete it once the deployment answers:\n\n  curl -X DELETE '${url}' -H "Authorization: Bearer $SERVICE_KEY"`,
    )
}

function withLeft(failure: unknown, left: string | null, stop: AbortSignal): unknown {
  if (stop.aborted) return new Failure(left ?? 'Stopped.')
  if (!(failure instanceof Failure) || left === null) return failure
  return new Failure(`${failure.message}\n\n${left}`)
}
