import { createHmac } from 'node:crypto'
import type { Json } from '../world.ts'
import { makeId } from './make-ids.ts'
import { API_VERSION, type Caller, type Endpoint, keep, type Stripe } from './state.ts'

/** Something came to pass: the event is listed for 30 days and posted to the endpoints that ask for it. */
export function tell(caller: Caller, type: string, object: Json, previous?: Json): Json {
  const { stripe, account, now, request } = caller
  const event = keep(stripe, account, {
    id: makeId('evt'),
    object: 'event',
    // Events of connected accounts have `account` at the top. docs.stripe.com/connect/webhooks
    ...(account !== stripe.platform && { account }),
    api_version: API_VERSION,
    created: now,
    data: { object: structuredClone(object), ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: endpointsFor(stripe, account, type).length,
    request,
    type,
  })
  stripe.undelivered.push(event)
  if (!stripe.settings.holdEvents) deliver(stripe, [event])
  return event
}

/** Posts events in the given order. */
export function deliver(stripe: Stripe, events: readonly Json[]): void {
  for (const event of events) forget(stripe, event)
  const post = async () => {
    for (const event of events) await send(stripe, event)
  }
  stripe.secrets.set('posting', {
    done: (stripe.secrets.get('posting')?.done ?? Promise.resolve()).then(post),
  })
}

function forget(stripe: Stripe, event: Json): void {
  const at = stripe.undelivered.indexOf(event)
  if (at >= 0) stripe.undelivered.splice(at, 1)
}

function endpointsFor(stripe: Stripe, account: string, type: string): Endpoint[] {
  return stripe.endpoints.filter(
    ({ connect, enabled_events: events }) =>
      connect === (account !== stripe.platform) && (events.includes('*') || events.includes(type)),
  )
}

async function send(stripe: Stripe, event: Json): Promise<void> {
  for (const endpoint of endpointsFor(stripe, event.account ?? stripe.platform, event.type)) {
    const isThin = endpoint.event_payload === 'thin'
    // Each endpoint has snapshots in a version of its own. docs.stripe.com/webhooks/versioning
    const told = isThin ? thinOf(event) : { ...event, api_version: endpoint.api_version }
    const status = await post(stripe, endpoint, told)
    if (typeof status === 'number' && status >= 200 && status < 300)
      event.pending_webhooks = Math.max(0, event.pending_webhooks - 1)
  }
}

/** Tests an endpoint. docs.stripe.com/api/v2/core/event-destinations/event-types */
export function ping(stripe: Stripe): void {
  const now = stripe.frame.now()
  for (const endpoint of stripe.endpoints)
    void post(stripe, endpoint, {
      id: makeId('evt'),
      object: 'v2.core.event',
      type: 'v2.core.event_destination.ping',
      created: new Date(now).toISOString(),
      livemode: false,
      context: null,
      related_object: {
        id: 'ed_test_double',
        type: 'v2.core.event_destination',
        url: '/v2/core/event_destinations/ed_test_double',
      },
    })
}

function post(stripe: Stripe, endpoint: Endpoint, event: Json): Promise<unknown> {
  const body = JSON.stringify(event, null, 2)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'Stripe-Signature': sign(endpoint.secrets, body, Math.floor(stripe.frame.now() / 1000)),
  }
  return Promise.resolve(stripe.frame.notify(endpoint.url, headers, body))
}

const PATHS: Readonly<Record<string, string>> = {
  'checkout.session': 'checkout/sessions',
  'billing_portal.session': 'billing_portal/sessions',
}

/**
 * docs.stripe.com/changelog/endive/2026-09-30/thin-events-for-api-v1-resources-generally-available;
 * docs.stripe.com/api/v2/core/events/object
 */
function thinOf({ id, type, account, created, data, livemode }: Json): Json {
  const { object } = data
  return {
    id: `${id}_thin`,
    object: 'v2.core.event',
    type: `v1.${type}`,
    context: account ?? null,
    created: new Date(created * 1000).toISOString(),
    livemode,
    related_object: {
      id: object.id,
      type: object.object,
      url: `/v1/${PATHS[object.object] ?? `${object.object}s`}/${object.id}`,
    },
    snapshot_event: id,
  }
}

/** `t=…,v1=…`, with a `v1` for each secret while one is rolled. docs.stripe.com/webhooks/signature */
export function sign(secrets: readonly string[], body: string, seconds: number): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  )
  return [`t=${seconds}`, ...signatures].join(',')
}
