import type Stripe from 'stripe'

export type Purchase = {
  readonly organizationId: string
  readonly customerId: string
  readonly priceId: string
  readonly successUrl: string
  readonly cancelUrl: string
}

/** A page on which the customer buys a subscription. Source: Stripe API, "Create a Checkout Session". */
export async function openCheckout(stripe: Stripe, purchase: Purchase): Promise<string> {
  const metadata = { organization_id: purchase.organizationId }
  const { url } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: purchase.customerId,
    client_reference_id: purchase.organizationId,
    line_items: [{ price: purchase.priceId, quantity: 1 }],
    success_url: purchase.successUrl,
    cancel_url: purchase.cancelUrl,
    metadata,
    subscription_data: { metadata },
  })
  if (url === null) throw new Error('the provider opened a checkout without a page')
  return url
}

/**
 * Closes the customer's open checkouts but the newest, so that two of them in two windows do not become two
 * subscriptions. Source: Stripe API, "Expire a Checkout Session".
 */
export async function closeCheckouts(stripe: Stripe, customerId: string): Promise<void> {
  const { data } = await stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 })
  const [, ...older] = data
    .filter(({ mode }) => mode === 'subscription')
    .sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
  await Promise.all(older.map(({ id }) => stripe.checkout.sessions.expire(id).catch(passOver)))
}

/** A checkout that was completed or closed since it was listed can no longer be closed. */
function passOver(error: unknown): void {
  if ((error as { type?: unknown }).type !== 'StripeInvalidRequestError') throw error
}

export type PlanSwitch = {
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
  stripe: Stripe,
  customerId: string,
  returnUrl: string,
  change?: PlanSwitch,
): Promise<string> {
  const { url } = await stripe.billingPortal.sessions.create({
    customer: customerId,
    return_url: returnUrl,
    ...(change && {
      flow_data: {
        type: 'subscription_update_confirm' as const,
        subscription_update_confirm: {
          subscription: change.subscriptionId,
          items: [{ id: change.itemId, price: change.priceId, quantity: 1 }],
        },
        after_completion: { type: 'redirect' as const, redirect: { return_url: change.doneUrl } },
      },
    }),
  })
  return url
}
