import type Stripe from 'stripe'
import { isProviderError, type StripeClient } from './client.ts'

type Purchase = {
  readonly organizationId: string
  readonly customerId: string
  readonly priceId: string
  readonly successUrl: string
  readonly cancelUrl: string
}

/** A page on which the customer buys a subscription. Source: Stripe API, "Create a Checkout Session". */
export async function openCheckout(stripe: StripeClient, purchase: Purchase): Promise<string> {
  const metadata = { organization_id: purchase.organizationId }
  const params: Stripe.Checkout.SessionCreateParams = {
    mode: 'subscription',
    customer: purchase.customerId,
    client_reference_id: purchase.organizationId,
    line_items: [{ price: purchase.priceId, quantity: 1 }],
    success_url: purchase.successUrl,
    cancel_url: purchase.cancelUrl,
    metadata,
    subscription_data: { metadata },
  }
  const { url } = await stripe.post<Stripe.Checkout.Session>(['checkout', 'sessions'], params)
  if (url === null) throw new Error('the provider opened a checkout without a page')
  return url
}

/**
 * Closes the customer's open checkouts but the newest, so that two of them in two windows do not become two
 * subscriptions. Source: Stripe API, "Expire a Checkout Session".
 */
export async function closeCheckouts(stripe: StripeClient, customerId: string): Promise<void> {
  const params: Stripe.Checkout.SessionListParams = { customer: customerId, status: 'open', limit: 100 }
  const sessions = ['checkout', 'sessions']
  const { data } = await stripe.get<Stripe.ApiList<Stripe.Checkout.Session>>(sessions, params)
  const [, ...older] = data
    .filter(({ mode }) => mode === 'subscription')
    .sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
  await Promise.all(older.map(({ id }) => stripe.post([...sessions, id, 'expire']).catch(drainBody)))
}

/** A checkout that was completed or closed since it was listed can no longer be closed. */
function drainBody(error: unknown): void {
  if (!isProviderError(error) || error.type !== 'invalid_request_error') throw error
}

type PlanSwitch = {
  readonly subscriptionId: string
  readonly itemId: string
  readonly priceId: string
  /** Where the customer comes out after agreeing. */
  readonly doneUrl: string
}

/**
 * The customer's own pages: cards, invoices, the end of the subscription; or, of these, the one on which a
 * switch of plans is agreed to. Source: Stripe API, "Create a portal session".
 */
export async function openPortal(
  stripe: StripeClient,
  customerId: string,
  returnUrl: string,
  change?: PlanSwitch,
): Promise<string> {
  const params: Stripe.BillingPortal.SessionCreateParams = {
    customer: customerId,
    return_url: returnUrl,
    ...(change && {
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: change.subscriptionId,
          items: [{ id: change.itemId, price: change.priceId, quantity: 1 }],
        },
        after_completion: { type: 'redirect', redirect: { return_url: change.doneUrl } },
      },
    }),
  }
  const { url } = await stripe.post<Stripe.BillingPortal.Session>(['billing_portal', 'sessions'], params)
  return url
}
