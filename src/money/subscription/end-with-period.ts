import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { refuse } from '../../platform/http/errors.ts'
import { askProvider } from '../provider/ask-provider.ts'
import { setEnding } from '../stripe/subscriptions.ts'
import { assertCanBuy } from './buying.ts'
import { keepAnswered } from './keep-answered.ts'
import { learnPlan } from './learn-plan.ts'
import { presentSubscription } from './present.ts'
import type { Subscription } from './schema.ts'

/** Lets the subscription end with its period, or go on after all. Repeating either is harmless. */
export async function endWithPeriod(ctx: Context<TenantCaller>, isEnding: boolean): Promise<Subscription> {
  assertCanBuy(ctx.env, ctx.caller)
  const { organizationId } = ctx.caller
  const { billing } = await askProvider(ctx.env, organizationId, 'billing_not_configured', (stripe) =>
    learnPlan(ctx.env, stripe, organizationId, originOf(ctx), async (running) => {
      if (!running) throw refuse('no_subscription')
      return { ...running, subscription: await setEnding(stripe, running.subscription.id, isEnding) }
    }),
  )
  return keepAnswered(ctx, presentSubscription(billing))
}
