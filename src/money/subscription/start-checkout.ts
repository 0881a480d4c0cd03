import { SYSTEM, type TenantCaller } from '../../platform/auth/caller.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuse } from '../../platform/http/errors.ts'
import { askProvider } from '../provider/ask-provider.ts'
import { closeCheckouts, openCheckout, openPortal } from '../stripe/billing-pages.ts'
import type { StripeClient } from '../stripe/client.ts'
import { listOffers } from '../stripe/subscriptions.ts'
import { assertCanBuy, assertPages } from './buying.ts'
import type { OurSubscription } from './decide-plan.ts'
import { ensureCustomer } from './ensure-customer.ts'
import { keepAnswered } from './keep-answered.ts'
import { type Learnt, learnPlan } from './learn-plan.ts'
import { lookupKeyOf } from './offers.ts'
import type { BillingPage, CheckoutInput } from './schema.ts'

/** A page of the provider on which the plan is bought or, where one is paid for already, switched. */
export async function startCheckout(ctx: Context<TenantCaller>, input: CheckoutInput): Promise<BillingPage> {
  assertCanBuy(ctx.env, ctx.caller)
  assertPages(ctx.env, { success_url: input.success_url, cancel_url: input.cancel_url })
  const url = await askProvider(
    ctx.env,
    ctx.caller.organizationId,
    'billing_not_configured',
    async (stripe, patience) => {
      const customerId = await ensureCustomer(ctx, stripe, patience)
      // A purchase of a minute ago may not have reached us yet.
      const learnt = await learnPlan(ctx.env, stripe, ctx.caller.organizationId, SYSTEM)
      const current = subscriptionToSwitch(learnt, input)
      const priceId = await getPrice(stripe, input)
      if (current) {
        const change = { subscriptionId: current.subscription.id, itemId: current.item.id, priceId }
        return openPortal(stripe, customerId, input.cancel_url, { ...change, doneUrl: input.success_url })
      }
      const page = await openCheckout(stripe, {
        organizationId: ctx.caller.organizationId,
        customerId,
        priceId,
        successUrl: input.success_url,
        cancelUrl: input.cancel_url,
      })
      await closeCheckouts(stripe, customerId)
      return page
    },
  )
  return keepAnswered(ctx, { url })
}

/** The running subscription that will be switched; null where there is none yet. */
function subscriptionToSwitch(
  { billing, running }: Learnt,
  { tier, billing_interval: interval }: CheckoutInput,
): OurSubscription | null {
  if (!running || running.subscription.status === 'incomplete') {
    if (billing.tier === tier) throw refuse('has_plan')
    return null
  }
  const { subscription, item } = running
  if (running.tier === tier && item.interval === interval) {
    throw refuse('pays_plan')
  }
  if (subscription.isEnding) {
    throw refuse('plan_ends')
  }
  if (subscription.status !== 'active' && subscription.status !== 'trialing') {
    throw refuse('payment_open')
  }
  return running
}

async function getPrice(stripe: StripeClient, { tier, billing_interval }: CheckoutInput): Promise<string> {
  const lookupKey = lookupKeyOf(tier, billing_interval)
  const [offer] = await listOffers(stripe, [lookupKey])
  if (!offer) throw refuse('not_on_sale', { price: lookupKey })
  return offer.priceId
}
