import { offerFreedOf } from '../../engine/freed-times/offer-freed.ts'
import type { Env } from '../../env.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import { forgetKeysOf } from '../../platform/auth/forget-keys.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { laterThan } from '../../platform/db/refusals.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { realNow } from '../../platform/limits/clock.ts'
import type { StripeClient } from '../stripe/client.ts'
import { listOffers, listSubscriptions } from '../stripe/subscriptions.ts'
import { decidePlan, type OurSubscription, type PaidPlan, planAfter, runningOf } from './decide-plan.ts'
import { LOOKUP_KEYS } from './offers.ts'
import { type Billing, getBilling, updateBillingAsRead } from './queries.ts'

export type Learnt = { readonly billing: Billing; readonly running: OurSubscription | null }

/** What a caller changes in the running subscription before it is read. */
type Wish = (running: OurSubscription | null) => Promise<OurSubscription | null>

/**
 * Asks the provider what the organization pays for and lets its plan follow. Events only say that there is
 * something to learn, so it does not matter how often or in which order they come.
 */
export async function learnPlan(
  env: Env,
  stripe: StripeClient,
  organizationId: string,
  origin: Origin,
  wish?: Wish,
): Promise<Learnt> {
  const db = openDb(env, 'decide')
  const learnt = await runChange({ env }, (db) => decide(stripe, db, organizationId, origin, wish))
  // Also when the plan is unchanged: the process that set it may have died between its commit and this line.
  await forgetKeysOf(env, db, organizationId)
  await offerFreedOf(env, db, organizationId)
  return learnt
}

async function decide(
  stripe: StripeClient,
  db: Db,
  organizationId: string,
  origin: Origin,
  wish?: Wish,
): Promise<Change<Learnt>> {
  // Read before the provider is asked: if something newer is stored in the meantime, this commit is refused as stale.
  const before = await getBilling(db, organizationId)
  const best = await askForBest(stripe, before)
  const running = wish ? await wish(best) : best
  const now = realNow()
  const paid = decidePlan(before.paid, running, now)
  const tier = planAfter(before.tier, before.paid, paid)
  const billing = { ...before, tier, paid, updatedAt: laterThan(before.updatedAt, now) }
  if (before.customerId === null) return { body: { billing, running }, statements: [] }

  const changes = changesOf({ ...before.paid, plan: before.tier }, { ...paid, plan: tier })
  const statements = [
    // Also when nothing is new: an older answer of the provider must not overwrite this one.
    ...updateBillingAsRead(db, before, billing, now),
    ...(Object.keys(changes).length === 0
      ? []
      : [
          recordActivity(db, { organizationId, isTest: false }, origin, {
            action: 'subscription.updated',
            resourceType: 'subscription',
            resourceId: organizationId,
            changes,
          }),
        ]),
  ]
  return { body: { billing, running }, statements }
}

async function askForBest(
  stripe: StripeClient,
  { organizationId, customerId }: Billing,
): Promise<OurSubscription | null> {
  if (customerId === null) return null
  const subscriptions = await listSubscriptions(stripe, customerId)
  const isPriceReplaced = subscriptions.some(({ items }) => items.some((item) => item.lookupKey === null))
  const offers = isPriceReplaced ? await listOffers(stripe, LOOKUP_KEYS) : []
  const running = runningOf(subscriptions, offers)
  if (running.length > 1) {
    const ids = running.map(({ subscription }) => subscription.id)
    console.error(JSON.stringify({ billing: 'more than one subscription', organizationId, ids }))
  }
  return running[0] ?? null
}

const TOLD = {
  plan: 'tier',
  pendingTier: 'pending_tier',
  status: 'status',
  billingInterval: 'billing_interval',
  currentPeriodStart: 'current_period_start',
  currentPeriodEnd: 'current_period_end',
  cancelAtPeriodEnd: 'cancel_at_period_end',
  subscriptionId: 'subscription_id',
  tier: 'paid_tier',
} as const

type Told = PaidPlan & { readonly plan: Billing['tier'] }

/** The changes, as pairs of before and after. */
function changesOf(before: Told, after: Told): Record<string, readonly [unknown, unknown]> {
  const names = Object.keys(TOLD) as (keyof typeof TOLD)[]
  return Object.fromEntries(
    names
      .filter((name) => before[name] !== after[name])
      .map((name) => [TOLD[name], [before[name], after[name]] as const]),
  )
}
