import type { Call, Json, Reply } from '../world.ts'
import { requirements } from './answer-accounts.ts'
import { endDispute, escalateDispute, openDispute } from './answer-disputes.ts'
import { settleRefund } from './answer-refunds.ts'
import { completeSession, expireSession } from './answer-sessions.ts'
import { cancelSubscription, renewSubscription, updateSubscription } from './answer-subscriptions.ts'
import { attempt, type Outcome, settle } from './move-intents.ts'
import { Refusal } from './refuse.ts'
import { deliver, ping, tell } from './send-events.ts'
import {
  API_VERSION,
  byProvider,
  type Caller,
  type Endpoint,
  keep,
  objectsOf,
  type Stripe,
  seek,
} from './state.ts'

/** What a test does there: as the owner of an account, as a payer, as a bank. */
export function controlStripe(stripe: Stripe, call: Call): Reply {
  const told = call.body ? JSON.parse(call.body) : {}
  try {
    const json = control(stripe, call, told)
    return json === undefined ? { status: 204 } : { status: 200, json }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: 409, json: { error: error.error } }
  }
}

function control(stripe: Stripe, { method, path, query }: Call, told: Json): unknown {
  const [what = '', id = '', how = ''] = path.split('/').slice(1)
  switch (`${method} ${[what, id && '{id}', how].filter(Boolean).join('/')}`) {
    case 'GET ':
      return show(stripe, query.get('of') ?? '')
    case 'GET objects':
      return allOf(stripe, query.get('of') ?? '')
    case 'PUT objects/{id}':
      return put(stripe, id, told)
    case 'PUT ':
      Object.assign(stripe.settings, told)
      return undefined
    case 'PUT endpoints':
      stripe.endpoints = (told as unknown as Partial<Endpoint>[]).map((one) => ({
        url: one.url ?? '',
        connect: one.connect ?? false,
        secrets: one.secrets ?? ['whsec_double'],
        api_version: one.api_version ?? API_VERSION,
        event_payload: one.event_payload ?? 'snapshot',
        enabled_events: one.enabled_events ?? ['*'],
      }))
      return undefined
    case 'POST endpoints/{id}': // ping
      ping(stripe)
      return undefined
    case 'POST accounts/{id}/onboard':
      return onboard(stripe, id, told)
    case 'POST accounts/{id}/deauthorize':
      return deauthorize(stripe, id)
    case 'POST events/{id}': // deliver
      return id === 'deliver' ? deliverSome(stripe, told) : missing(id)
    case 'POST events/{id}/resend':
      deliver(stripe, [of(stripe, 'event', id).object])
      return undefined
  }
  return move(stripe, `${method} ${what}/${how}`, id, told)
}

function move(stripe: Stripe, line: string, id: string, told: Json): Json {
  const outcome = { how: 'succeed', ...told } as Outcome
  switch (line) {
    case 'POST intents/pay':
      return change(stripe, 'payment_intent', id, (caller, intent) => attempt(caller, intent, outcome))
    case 'POST intents/settle':
      return change(stripe, 'payment_intent', id, (caller, intent) => settle(caller, intent, outcome))
    case 'POST intents/dispute':
      return change(stripe, 'payment_intent', id, (caller, intent) =>
        openDispute(caller, objectsOf(stripe, caller.account).get(intent.latest_charge) ?? {}, told),
      )
    case 'POST disputes/win':
    case 'POST disputes/withdraw':
      return change(stripe, 'dispute', id, (caller, dispute) => endDispute(caller, dispute, 'won'))
    case 'POST disputes/lose':
      return change(stripe, 'dispute', id, (caller, dispute) => endDispute(caller, dispute, 'lost'))
    case 'POST disputes/escalate':
      return change(stripe, 'dispute', id, escalateDispute)
    case 'POST refunds/settle':
      return change(stripe, 'refund', id, (caller, refund) =>
        settleRefund(caller, refund, told.how ?? 'succeeded', told.reason),
      )
    case 'POST sessions/complete':
      return change(stripe, 'checkout.session', id, completeSession)
    case 'POST sessions/expire':
      return change(stripe, 'checkout.session', id, (caller) => expireSession(caller, id))
    case 'POST subscriptions/renew':
      return change(stripe, 'subscription', id, (caller, one) =>
        renewSubscription(caller, one, told.isPaid ?? true),
      )
    // What a customer does in the portal: `{cancel_at_period_end}`, `{items: [{id, price}]}`.
    case 'POST subscriptions/change':
      return change(stripe, 'subscription', id, (caller) => updateSubscription(caller, id, told))
    case 'POST subscriptions/cancel':
      return change(stripe, 'subscription', id, (caller) => cancelSubscription(caller, id, told.reason))
    default:
      return missing(line)
  }
}

/** The object as it is now; where something new was made, that. */
function change(
  stripe: Stripe,
  kind: string,
  id: string,
  by: (caller: Caller, object: Json) => unknown,
): Json {
  const { object, account } = of(stripe, kind, id)
  return (by(byProvider(stripe, account), object) as Json | undefined) ?? object
}

function of(stripe: Stripe, kind: string, id: string): { object: Json; account: string } {
  const found = seek(stripe, id)
  return found?.object.object === kind ? found : missing(id)
}

function missing(what: string): never {
  throw new Refusal(404, { message: `The double knows no ${what}.` })
}

/** Everything in which that text stands, as old as it is. */
function allOf(stripe: Stripe, text: string): Json[] {
  return [...stripe.objects]
    .flatMap(([account, objects]) =>
      [...objects.values()].map(
        (one): Json => ({ ...one, of: account === stripe.platform ? null : account }),
      ),
    )
    .filter((one) => text === '' || JSON.stringify(one).includes(text))
}

/** Replaces fields of an object, for what the double does not do automatically; no event is sent. */
function put(stripe: Stripe, id: string, told: Json): Json {
  const known = seek(stripe, id)
  if (known) return Object.assign(known.object, told)
  return keep(stripe, stripe.platform, { id, ...told })
}

function show(stripe: Stripe, text: string): Json {
  const all = allOf(stripe, text)
  const kind = (name: string) => all.filter((one: Json) => one.object === name)
  return {
    platform: stripe.platform,
    settings: stripe.settings,
    endpoints: stripe.endpoints,
    accounts: kind('account'),
    intents: kind('payment_intent'),
    charges: kind('charge'),
    refunds: kind('refund'),
    disputes: kind('dispute'),
    fees: kind('application_fee'),
    balance: kind('balance_transaction'),
    customers: kind('customer'),
    subscriptions: kind('subscription'),
    sessions: kind('checkout.session'),
    invoices: kind('invoice'),
    events: kind('event'),
    undelivered: stripe.undelivered,
  }
}

/**
 * The owner gives everything requested, or `{due: [...]}` is requested again, with the given `{charges_enabled,
 * payouts_enabled}`.
 */
export function onboard(stripe: Stripe, id: string, told: Json): Json {
  const { object: account } = of(stripe, 'account', id)
  const due: string[] = told.due ?? []
  const isCharging = told.charges_enabled ?? due.length === 0
  Object.assign(account, {
    charges_enabled: isCharging,
    payouts_enabled: told.payouts_enabled ?? due.length === 0,
    details_submitted: told.details_submitted ?? true,
    requirements: requirements(due, told.disabled_reason ?? 'requirements.past_due'),
  })
  for (const name of Object.keys(account.capabilities))
    account.capabilities[name] = isCharging ? 'active' : 'inactive'
  tell(byProvider(stripe, id), 'account.updated', account)
  return account
}

/** The owner takes the platform's access away. docs.stripe.com/connect/webhooks (account.application.deauthorized) */
function deauthorize(stripe: Stripe, id: string): Json {
  const { object: account } = of(stripe, 'account', id)
  stripe.deauthorized.add(id)
  tell(byProvider(stripe, id), 'account.application.deauthorized', {
    id: 'ca_Double0Platform',
    object: 'application',
    name: 'Holdfast',
  })
  return account
}

/** Delivers held events, in the order of `ids`, as created, or `reversed`; `times` for each. */
function deliverSome(stripe: Stripe, { ids, order, times = 1 }: Json): undefined {
  const some = ids ? ids.map((id: string) => of(stripe, 'event', id).object) : [...stripe.undelivered]
  if (order === 'reversed') some.reverse()
  for (let time = 0; time < times; time++) deliver(stripe, some)
}
