import type { Json } from '../world.ts'
import { createCustomer } from './answer-catalog.ts'
import { createSubscription } from './answer-subscriptions.ts'
import { find } from './find-objects.ts'
import { letters, makeId } from './make-ids.ts'
import { refuse, refuseParameter } from './refuse.ts'
import { tell } from './send-events.ts'
import { type Caller, keep } from './state.ts'

/** A page to subscribe at. Of the modes only `subscription` is here. docs.stripe.com/api/checkout/sessions/create */
export function createSession(caller: Caller, parameters: Json): Json {
  const { stripe, account, now } = caller
  const { line_items: lines, mode, customer, customer_email: email } = parameters
  if (!mode) throw refuseParameter('Missing required param: mode.', 'mode', 'parameter_missing')
  if (mode !== 'subscription')
    throw refuse(`The double has no sessions with mode=${mode}.`, { param: 'mode' })
  if (!lines?.length)
    throw refuseParameter('Missing required param: line_items.', 'line_items', 'parameter_missing')
  if (!parameters.success_url)
    throw refuseParameter('Missing required param: success_url.', 'success_url', 'parameter_missing')
  if (customer && email)
    throw refuseParameter(
      'You may only specify one of these parameters: customer, customer_email.',
      'customer',
      'parameters_exclusive',
    )
  if (parameters.payment_intent_data)
    throw refuse('You can not pass `payment_intent_data` in `subscription` mode.', {
      param: 'payment_intent_data',
    })
  if (parameters.customer_creation)
    throw refuse('`customer_creation` can only be used in `payment` and `setup` mode.', {
      param: 'customer_creation',
    })
  if (customer) find(caller, 'customer', customer, 'customer', 400)
  const prices = lines.map((line: Json, at: number) =>
    find(caller, 'price', line.price ?? '', `line_items[${at}][price]`, 400),
  )
  const total = prices.reduce(
    (sum: number, price: Json, at: number) => sum + price.unit_amount * (lines[at].quantity ?? 1),
    0,
  )
  const id = makeId('cs_test')
  const session = keep(stripe, account, {
    id,
    object: 'checkout.session',
    allow_promotion_codes: parameters.allow_promotion_codes ?? null,
    amount_subtotal: total,
    amount_total: total,
    cancel_url: parameters.cancel_url ?? null,
    client_reference_id: parameters.client_reference_id ?? null,
    created: now,
    currency: prices[0].currency,
    customer: customer ?? null,
    customer_details: null,
    customer_email: email ?? null,
    expires_at: parameters.expires_at ?? now + 86_400,
    invoice: null,
    livemode: false,
    locale: parameters.locale ?? null,
    metadata: parameters.metadata ?? {},
    mode,
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: parameters.success_url,
    ui_mode: parameters.ui_mode ?? 'hosted_page',
    url: `https://checkout.stripe.com/c/pay/${id}#${letters(40)}`,
  })
  stripe.secrets.set(id, { lines, subscription: parameters.subscription_data ?? {} })
  return session
}

/** The customer subscribes at the page. */
export function completeSession(caller: Caller, session: Json): void {
  if (session.status !== 'open') throw refuse(`The session is ${session.status}.`)
  const { lines, subscription } = caller.stripe.secrets.get(session.id)!
  const method = makeId('pm')
  session.customer ??= createCustomer(caller, { email: session.customer_email ?? 'customer@example.com' }).id
  find(caller, 'customer', session.customer).invoice_settings.default_payment_method ??= method
  const made = createSubscription(caller, {
    ...subscription,
    customer: session.customer,
    items: lines,
    default_payment_method: method,
  })
  Object.assign(session, {
    status: 'complete',
    payment_status: made.status === 'trialing' ? 'no_payment_required' : 'paid',
    subscription: made.id,
    invoice: made.latest_invoice,
    url: null,
    customer_details: { email: find(caller, 'customer', session.customer).email },
  })
  tell(caller, 'checkout.session.completed', session)
}

/** docs.stripe.com/api/checkout/sessions/expire: only while it is open. */
export function expireSession(caller: Caller, id: string): Json {
  const session = find(caller, 'checkout.session', id, 'session')
  if (session.status !== 'open')
    throw refuse(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      { param: 'session' },
    )
  Object.assign(session, { status: 'expired', url: null })
  tell(caller, 'checkout.session.expired', session)
  return session
}

/** docs.stripe.com/api/customer_portal/sessions/create */
export function createPortal(caller: Caller, parameters: Json): Json {
  const { stripe, account, now } = caller
  if (!parameters.customer)
    throw refuseParameter('Missing required param: customer.', 'customer', 'parameter_missing')
  find(caller, 'customer', parameters.customer, 'customer', 400)
  return keep(stripe, account, {
    id: makeId('bps'),
    object: 'billing_portal.session',
    configuration: parameters.configuration ?? 'bpc_1DoublePortalConfiguration',
    created: now,
    customer: parameters.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: parameters.locale ?? null,
    on_behalf_of: null,
    return_url: parameters.return_url ?? null,
    url: `https://billing.stripe.com/p/session/test_${letters(40)}`,
  })
}
