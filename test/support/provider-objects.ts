import { randomUUID } from 'node:crypto'
import type { Params } from './provider-form.ts'

export type ProviderObject = { readonly id: string; readonly object: string; readonly [field: string]: any }
export type Objects = Map<string, ProviderObject>
export type ProviderError = { readonly type: string; readonly code?: string; readonly message?: string }

type Call = {
  readonly method: string
  readonly name: string
  readonly id: string | null
  readonly action: string | null
  readonly params: Params
}
type Answer = { readonly status: number; readonly body: unknown }

const PREFIXES: Readonly<Record<string, string>> = {
  accounts: 'acct',
  account_links: 'link',
  payment_intents: 'pi',
  refunds: 're',
  customers: 'cus',
  prices: 'price',
  products: 'prod',
  subscriptions: 'sub',
  'checkout/sessions': 'cs_test',
  'billing_portal/sessions': 'bps',
}

/** What a call does to the objects that the provider has, and what it answers. */
export function applyCall(objects: Objects, call: Call): Answer {
  const { method, name, id, action } = call
  if (!(name in PREFIXES)) return refuse(404, 'Unrecognized request URL.')
  if (method === 'GET' && id === null) return list(objects, call)
  if (id === null) return create(objects, call)
  const found = objects.get(id)
  if (!found || found.object !== objectOf(name))
    return refuse(404, `No such ${objectOf(name)}.`, 'resource_missing')
  if (method === 'GET') return { status: 200, body: found }
  if (method === 'DELETE') return remove(objects, name, found)
  if (action !== null) return act(objects, found, name, action)
  return keep(objects, { ...found, ...typed(call.params), metadata: mergedMetadata(found, call.params) })
}

function objectOf(name: string): string {
  return name
    .replace('checkout/sessions', 'checkout.session')
    .replace('billing_portal/sessions', 'billing_portal.session')
    .replace(/s$/, '')
}

function create(objects: Objects, { name, params }: Call): Answer {
  const id = `${PREFIXES[name]}_${randomUUID().replaceAll('-', '').slice(0, 24)}`
  const base = { id, object: objectOf(name), created: Math.floor(Date.now() / 1000), livemode: false }
  const given = { metadata: {}, ...typed(params) }
  switch (name) {
    case 'accounts':
      return keep(objects, {
        charges_enabled: false,
        payouts_enabled: false,
        details_submitted: false,
        ...given,
        ...base,
      })
    case 'account_links':
      return keep(objects, {
        ...given,
        ...base,
        expires_at: base.created + 300,
        url: `https://connect.example/setup/${id}`,
      })
    case 'payment_intents': {
      const missing = ['amount', 'currency'].find((field) => !(field in params))
      if (missing) return refuse(400, `Missing required param: ${missing}.`, 'parameter_missing')
      const client_secret = `${id}_secret_${randomUUID().replaceAll('-', '')}`
      const state = {
        status: 'requires_payment_method',
        amount_received: 0,
        latest_charge: null,
        canceled_at: null,
      }
      return keep(objects, { ...given, ...base, ...state, client_secret })
    }
    case 'refunds':
      return refund(objects, given, base)
    case 'checkout/sessions': {
      const url = `https://checkout.example/pay/${id}`
      return keep(objects, { status: 'open', customer: null, subscription: null, ...given, ...base, url })
    }
    case 'billing_portal/sessions':
      return keep(objects, { ...given, ...base, url: `https://billing.example/session/${id}` })
    case 'subscriptions':
      return keep(objects, { status: 'active', cancel_at_period_end: false, ...given, ...base })
    default:
      return keep(objects, { ...given, ...base })
  }
}

function refund(objects: Objects, given: any, base: { id: string; object: string; created: number }): Answer {
  const intent = objects.get(given.payment_intent)
  if (!intent) return refuse(404, 'No such payment_intent.', 'resource_missing')
  if (intent.status !== 'succeeded') return refuse(400, 'This payment was not made.', 'charge_not_refundable')
  const left = intent.amount - refundedOf(objects, intent.id)
  const amount = given.amount ?? left
  if (left <= 0) return refuse(400, 'It has already been refunded.', 'charge_already_refunded')
  if (amount > left)
    return refuse(400, 'Refund amount is greater than unrefunded amount.', 'amount_too_large')
  const whole = {
    status: 'succeeded',
    currency: intent.currency,
    charge: intent.latest_charge,
    ...given,
    ...base,
  }
  return keep(objects, { ...whole, amount })
}

/** What went back of an intent so far. */
export function refundedOf(objects: Objects, intentId: string): number {
  return [...objects.values()]
    .filter((one) => one.object === 'refund' && one.payment_intent === intentId)
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0)
}

function act(objects: Objects, found: ProviderObject, name: string, action: string): Answer {
  if (name === 'payment_intents' && action === 'cancel') {
    if (found.status === 'succeeded' || found.status === 'canceled') {
      const message = `You cannot cancel this PaymentIntent because it has a status of ${found.status}.`
      return refuse(400, message, 'payment_intent_unexpected_state')
    }
    return keep(objects, { ...found, status: 'canceled', canceled_at: Math.floor(Date.now() / 1000) })
  }
  if (name === 'subscriptions' && action === 'resume') return keep(objects, { ...found, status: 'active' })
  return refuse(404, 'Unrecognized request URL.')
}

function remove(objects: Objects, name: string, found: ProviderObject): Answer {
  if (name === 'subscriptions') return keep(objects, { ...found, status: 'canceled' })
  objects.delete(found.id)
  return { status: 200, body: { id: found.id, object: found.object, deleted: true } }
}

function list(objects: Objects, { name, params }: Call): Answer {
  const { limit, starting_after, ending_before, expand, ...wanted } = params
  const data = [...objects.values()]
    .filter(({ object }) => object === objectOf(name))
    .filter((one) => Object.entries(wanted).every(([field, value]) => String(one[field]) === value))
    .reverse()
  return { status: 200, body: { object: 'list', url: `/v1/${name}`, has_more: false, data } }
}

function keep(objects: Objects, object: ProviderObject): Answer {
  objects.set(object.id, object)
  return { status: 200, body: object }
}

function refuse(status: number, message: string, code?: string): Answer {
  return { status, body: { error: { type: 'invalid_request_error', message, ...(code && { code }) } } }
}

function mergedMetadata(found: ProviderObject, params: Params) {
  return { ...found.metadata, ...(params.metadata as Params | undefined) }
}

/** A form knows only text; the provider's answers have numbers and truth values where they belong. */
function typed(value: any, name = ''): any {
  if (Array.isArray(value)) return value.map((one) => typed(one))
  if (typeof value === 'object') {
    if (name === 'metadata') return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, typed(inner, key)]))
  }
  if (value === 'true' || value === 'false') return value === 'true'
  return /amount|quantity|_at$/.test(name) && /^\d+$/.test(value) ? Number(value) : value
}
