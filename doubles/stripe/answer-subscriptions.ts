import type { Json } from '../world.ts'
import { find } from './find-objects.ts'
import { makeId } from './make-ids.ts'
import { billInvoice } from './make-invoices.ts'
import { refuse, refuseParameter } from './refuse.ts'
import { tell } from './send-events.ts'
import { type Caller, keep } from './state.ts'

const SECONDS: Readonly<Record<string, number>> = {
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
}

export function createSubscription(caller: Caller, parameters: Json): Json {
  const { stripe, account, now } = caller
  const { items, trial_period_days: days, payment_behavior: behavior = 'allow_incomplete' } = parameters
  if (!parameters.customer)
    throw refuseParameter('Missing required param: customer.', 'customer', 'parameter_missing')
  if (!items?.length) throw refuseParameter('Missing required param: items.', 'items', 'parameter_missing')
  const customer = find(caller, 'customer', parameters.customer, 'customer', 400)
  const method = parameters.default_payment_method ?? customer.invoice_settings.default_payment_method
  const trialEnd = days
    ? now + days * 86_400
    : typeof parameters.trial_end === 'number'
      ? parameters.trial_end
      : null
  // docs.stripe.com/billing/subscriptions/overview (payment behavior)
  if (
    !method &&
    !trialEnd &&
    behavior !== 'default_incomplete' &&
    parameters.collection_method !== 'send_invoice'
  )
    throw refuse(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  const id = makeId('sub')
  const lines = items.map((item: Json, at: number) => makeItem(caller, id, item, at, trialEnd))
  const subscription: Json = keep(stripe, account, {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: parameters.application_fee_percent ?? null,
    automatic_tax: {
      disabled_reason: null,
      enabled: parameters.automatic_tax?.enabled ?? false,
      liability: null,
    },
    billing_cycle_anchor: trialEnd ?? now,
    billing_cycle_anchor_config: null,
    cancel_at: null,
    cancel_at_period_end: parameters.cancel_at_period_end ?? false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: parameters.collection_method ?? 'charge_automatically',
    created: now,
    currency: lines[0].price.currency,
    customer: customer.id,
    days_until_due: parameters.days_until_due ?? null,
    default_payment_method: parameters.default_payment_method ?? null,
    default_source: null,
    description: parameters.description ?? null,
    discounts: [],
    ended_at: null,
    items: {
      object: 'list',
      data: lines,
      has_more: false,
      total_count: lines.length,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    metadata: parameters.metadata ?? {},
    pause_collection: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd ? 'trialing' : method ? 'active' : 'incomplete',
    test_clock: null,
    trial_end: trialEnd,
    trial_start: trialEnd ? now : null,
  })
  tell(caller, 'customer.subscription.created', subscription)
  billInvoice(caller, subscription, 'subscription_create', trialEnd !== null || method !== null)
  return subscription
}

/** The period is the item's since 2025. docs.stripe.com/changelog/basil/2025-03-31 */
function makeItem(
  caller: Caller,
  subscription: string,
  item: Json,
  at: number,
  trialEnd: number | null,
): Json {
  if (!item.price)
    throw refuseParameter(
      `Missing required param: items[${at}][price].`,
      `items[${at}][price]`,
      'parameter_missing',
    )
  const price = find(caller, 'price', item.price, `items[${at}][price]`, 400)
  if (price.type !== 'recurring')
    throw refuse(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      { param: `items[${at}][price]` },
    )
  const length = (SECONDS[price.recurring.interval] ?? 0) * price.recurring.interval_count
  return {
    id: makeId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: caller.now,
    current_period_end: trialEnd ?? caller.now + length,
    current_period_start: caller.now,
    discounts: [],
    metadata: item.metadata ?? {},
    price: structuredClone(price),
    quantity: item.quantity ?? 1,
    subscription,
    tax_rates: [],
  }
}

/** Items have ids; one without an id is added. docs.stripe.com/billing/subscriptions/change-price */
export function updateSubscription(caller: Caller, id: string, parameters: Json): Json {
  const subscription = find(caller, 'subscription', id)
  if (subscription.status === 'canceled')
    throw refuse('A canceled subscription can only update its cancellation_details and metadata.', {
      code: 'invalid_canceled_subscription_fields',
    })
  const { items = [], metadata, cancel_at_period_end: isEnding } = parameters
  for (const [at, told] of items.entries()) {
    const item = subscription.items.data.find((one: Json) => one.id === told.id)
    if (told.id && !item)
      throw refuse(`No such subscription item: '${told.id}'`, {
        code: 'resource_missing',
        param: `items[${at}][id]`,
      })
    if (!item) subscription.items.data.push(makeItem(caller, id, told, at, null))
    else if (told.deleted)
      subscription.items.data = subscription.items.data.filter((one: Json) => one !== item)
    else {
      if (told.price) item.price = makeItem(caller, id, told, at, null).price
      if (told.quantity !== undefined) item.quantity = told.quantity
    }
  }
  for (const [key, value] of Object.entries(metadata ?? {}))
    if (value === null) delete subscription.metadata[key]
    else subscription.metadata[key] = value
  if (parameters.default_payment_method)
    subscription.default_payment_method = parameters.default_payment_method
  // At an instant, or not any more. docs.stripe.com/api/subscriptions/update (cancel_at)
  if (parameters.cancel_at !== undefined) {
    subscription.cancel_at = parameters.cancel_at || null
    subscription.canceled_at = parameters.cancel_at ? caller.now : null
  }
  if (isEnding !== undefined) {
    subscription.cancel_at_period_end = isEnding
    subscription.cancel_at = isEnding ? subscription.items.data[0].current_period_end : null
    subscription.canceled_at = isEnding ? caller.now : null
    subscription.cancellation_details.reason = isEnding ? 'cancellation_requested' : null
  }
  tell(caller, 'customer.subscription.updated', subscription)
  return subscription
}

/** What it has put off is off; the subscription stays as it is. docs.stripe.com/api/subscription_schedules/release */
export function releaseSchedule(caller: Caller, id: string): Json {
  const schedule = find(caller, 'subscription_schedule', id)
  if (!['not_started', 'active'].includes(schedule.status))
    throw refuse(
      `You cannot release a subscription schedule that is currently in the \`${schedule.status}\` status. A schedule can only be released if it is in the \`not_started\` or \`active\` status.`,
    )
  const subscription = schedule.subscription && find(caller, 'subscription', schedule.subscription)
  if (subscription) subscription.schedule = null
  Object.assign(schedule, {
    status: 'released',
    released_at: caller.now,
    released_subscription: schedule.subscription,
    subscription: null,
  })
  tell(caller, 'subscription_schedule.released', schedule)
  return schedule
}

export function cancelSubscription(caller: Caller, id: string, reason = 'cancellation_requested'): Json {
  const subscription = find(caller, 'subscription', id)
  if (subscription.status === 'canceled')
    throw refuse(`No such subscription: '${id}'`, { code: 'resource_missing', param: 'id' })
  Object.assign(subscription, { status: 'canceled', canceled_at: caller.now, ended_at: caller.now })
  subscription.cancellation_details.reason = reason
  tell(caller, 'customer.subscription.deleted', subscription)
  return subscription
}

/** A period is over: the next one is paid, or not; or it was the last. */
export function renewSubscription(caller: Caller, subscription: Json, isPaid: boolean): void {
  if (subscription.cancel_at_period_end) {
    cancelSubscription(caller, subscription.id)
    return
  }
  for (const item of subscription.items.data) {
    const length = (SECONDS[item.price.recurring.interval] ?? 0) * item.price.recurring.interval_count
    item.current_period_start = item.current_period_end
    item.current_period_end += length
  }
  const before = subscription.status
  subscription.status = isPaid ? 'active' : 'past_due'
  billInvoice(caller, subscription, 'subscription_cycle', isPaid)
  tell(caller, 'customer.subscription.updated', subscription, { status: before })
}
