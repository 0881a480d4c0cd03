import type Stripe from 'stripe'
import { failureOf, type StripeClient } from './client.ts'

const REMOTE_STATUSES = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'incomplete_expired',
  'canceled',
] as const
export type RemoteStatus = (typeof REMOTE_STATUSES)[number]

export const INTERVALS = ['month', 'year'] as const
export type RemoteInterval = (typeof INTERVALS)[number]

/** One thing that a subscription pays for. Instants are epoch milliseconds. */
export type RemoteItem = {
  readonly id: string
  /** A price that was replaced by a dearer one has lost its lookup key to it, but not its product. */
  readonly lookupKey: string | null
  readonly productId: string
  readonly interval: RemoteInterval | null
  readonly periodStart: number
  readonly periodEnd: number
}

/** A subscription as the provider has it now. Instants are epoch milliseconds. */
export type RemoteSubscription = {
  readonly id: string
  readonly status: RemoteStatus
  readonly items: readonly RemoteItem[]
  /** Whether it ends with its period. */
  readonly isEnding: boolean
  readonly createdAt: number
}

/** What a customer can buy. */
export type Offer = { readonly priceId: string; readonly lookupKey: string; readonly productId: string }

/**
 * Every subscription that the customer has or had, newest first; none of a customer that was deleted. Source:
 * Stripe API, "List subscriptions".
 */
export async function listSubscriptions(
  stripe: StripeClient,
  customerId: string,
): Promise<RemoteSubscription[]> {
  const wanted: Stripe.SubscriptionListParams = { customer: customerId, status: 'all', limit: 100 }
  const listed = stripe.get<Stripe.ApiList<Stripe.Subscription>>(['subscriptions'], wanted)
  const { data } = await listed.catch((error) => {
    if (failureOf(error).code === 'resource_missing') return { data: [] }
    throw error
  })
  return data.map(subscriptionOf).sort((a, b) => b.createdAt - a.createdAt)
}

/** Lets the subscription end with its period, or go on. Source: Stripe API, "Update a subscription". */
export async function setEnding(
  stripe: StripeClient,
  subscriptionId: string,
  isEnding: boolean,
): Promise<RemoteSubscription> {
  const path = ['subscriptions', subscriptionId]
  const before = await stripe.get<Stripe.Subscription>(path)
  if (subscriptionOf(before).isEnding === isEnding) return subscriptionOf(before)
  // A switch that the portal put off to the next period has a schedule, which allows no other change beside it.
  if (before.schedule !== null) {
    await stripe.post(['subscription_schedules', idOf(before.schedule), 'release'])
  }
  // With flexible billing the portal sets a date instead of the flag.
  const wish: Stripe.SubscriptionUpdateParams =
    isEnding || before.cancel_at_period_end ? { cancel_at_period_end: isEnding } : { cancel_at: '' }
  return subscriptionOf(await stripe.post<Stripe.Subscription>(path, wish))
}

/** The prices on sale that have one of these lookup keys, at most ten. Source: Stripe API, "List prices". */
export async function listOffers(stripe: StripeClient, lookupKeys: readonly string[]): Promise<Offer[]> {
  const params: Stripe.PriceListParams = { lookup_keys: [...lookupKeys], active: true, limit: 100 }
  const { data } = await stripe.get<Stripe.ApiList<Stripe.Price>>(['prices'], params)
  return data.flatMap(({ id, lookup_key, product }) =>
    lookup_key === null ? [] : [{ priceId: id, lookupKey: lookup_key, productId: idOf(product) }],
  )
}

function subscriptionOf(subscription: Stripe.Subscription): RemoteSubscription {
  return {
    id: subscription.id,
    status: statusOf(subscription.status),
    items: subscription.items.data.map(itemOf),
    isEnding: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    createdAt: subscription.created * 1000,
  }
}

function itemOf(item: Stripe.SubscriptionItem): RemoteItem {
  const { lookup_key, product, recurring } = item.price
  const interval = recurring?.interval_count === 1 ? recurring.interval : null
  return {
    id: item.id,
    lookupKey: lookup_key,
    productId: idOf(product),
    interval: INTERVALS.find((each) => each === interval) ?? null,
    periodStart: item.current_period_start * 1000,
    periodEnd: item.current_period_end * 1000,
  }
}

function statusOf(status: string): RemoteStatus {
  const known = REMOTE_STATUSES.find((each) => each === status)
  if (!known) throw new Error(`the provider gave a subscription the unknown status ${status}`)
  return known
}

function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === 'string' ? reference : reference.id
}
