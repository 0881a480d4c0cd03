import { env } from 'cloudflare:workers'
import { call } from './app.ts'
import { createOrganization, type Organization, unique } from './factories.ts'
import { changeProviderObject, type ProviderObject, tellService } from './provider-calls.ts'

const DAY_SECONDS = 86_400

/** Puts every plan on sale, as the operator has to. */
export async function putPlansOnSale(): Promise<void> {
  for (const tier of ['starter', 'grow', 'scale'])
    for (const interval of ['month', 'year']) await putOnSale(tier, interval)
}

/** One price alone, for tests that run beside those that take another one off the market. */
export async function putOnSale(tier: string, interval: string): Promise<void> {
  await changeProviderObject(priceIdOf(tier, interval), priceOf(tier, interval))
}

export function priceIdOf(tier: string, interval: string): string {
  return `price_${tier}_${interval}`
}

function priceOf(tier: string, interval: string) {
  return {
    id: priceIdOf(tier, interval),
    object: 'price',
    active: true,
    lookup_key: `holdfast_${tier}_${interval}`,
    product: `prod_${tier}`,
    recurring: { interval, interval_count: 1 },
  }
}

export async function customerOf({ id }: Organization): Promise<string> {
  const select = env.DB.prepare('SELECT customer_id FROM subscriptions WHERE organization_id = ?')
  return (await select.bind(id).first<string>('customer_id'))!
}

/** A new organization on the free plan that has looked at the portal, so that the provider knows it. */
export async function createCustomer(): Promise<Organization & { readonly customerId: string }> {
  const organization = await createOrganization({ tier: 'free' })
  const body = { return_url: 'https://example.com/billing' }
  await call('POST', '/v1/subscription/portal', { key: organization.liveKey, body })
  return { ...organization, customerId: await customerOf(organization) }
}

export type Paid = {
  readonly id?: string
  readonly tier?: string
  readonly interval?: 'month' | 'year'
  readonly status?: string
  /** Unix seconds. */
  readonly start?: number
  readonly end?: number
  readonly price?: Record<string, unknown>
  readonly [field: string]: unknown
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Puts a subscription of the customer at the provider, as a checkout or the portal would; `paid.id` changes one. */
export function putSubscription(customerId: string, paid: Paid = {}): Promise<ProviderObject> {
  const {
    tier = 'grow',
    interval = 'month',
    id = `sub_${unique('paid')}`,
    start,
    end,
    price,
    ...fields
  } = paid
  const since = start ?? nowSeconds() - DAY_SECONDS
  return changeProviderObject(id, {
    id,
    object: 'subscription',
    customer: customerId,
    status: 'active',
    cancel_at_period_end: false,
    cancel_at: null,
    schedule: null,
    metadata: {},
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    created: since,
    items: {
      object: 'list',
      data: [
        {
          id: `si_${id}`,
          object: 'subscription_item',
          price: { ...priceOf(tier, interval), ...price },
          current_period_start: since,
          current_period_end: end ?? since + 30 * DAY_SECONDS,
        },
      ],
    },
    ...fields,
  })
}

/** A subscription that the service was told of. */
export async function subscribe(customerId: string, paid: Paid = {}): Promise<ProviderObject> {
  const subscription = await putSubscription(customerId, paid)
  await tellService('customer.subscription.created', subscription)
  return subscription
}
