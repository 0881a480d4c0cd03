import type { RealMs } from '../../platform/limits/clock.ts'
import { TIERS, type Tier } from '../../platform/limits/plans.ts'
import type {
  Offer,
  RemoteInterval,
  RemoteItem,
  RemoteStatus,
  RemoteSubscription,
} from '../stripe/subscriptions.ts'
import { type PaidTier, tierOf } from './offers.ts'

/** The plan that an organization pays for, as it was last learnt. Instants are epoch milliseconds. */
export type PaidPlan = {
  /** `free` while nothing is paid for. */
  readonly tier: Tier
  /** The lower plan that the next period begins with. */
  readonly pendingTier: Tier | null
  readonly subscriptionId: string | null
  readonly status: RemoteStatus | null
  readonly billingInterval: RemoteInterval | null
  readonly currentPeriodStart: number | null
  readonly currentPeriodEnd: number | null
  readonly cancelAtPeriodEnd: boolean
}

export const NOTHING_PAID: PaidPlan = {
  tier: 'free',
  pendingTier: null,
  subscriptionId: null,
  status: null,
  billingInterval: null,
  currentPeriodStart: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
}

const PAYING: readonly RemoteStatus[] = ['active', 'trialing', 'past_due']
const OVER: readonly RemoteStatus[] = ['canceled', 'incomplete_expired']

/** A subscription to one of our plans. */
export type OurSubscription = {
  readonly subscription: RemoteSubscription
  readonly item: RemoteItem
  readonly tier: PaidTier
}

function isHigher(tier: Tier, than: Tier): boolean {
  return TIERS.indexOf(tier) > TIERS.indexOf(than)
}

/** The customer's running subscriptions to our plans, the highest plan first. */
export function runningOf(
  subscriptions: readonly RemoteSubscription[],
  offers: readonly Offer[],
): OurSubscription[] {
  const worth = ({ subscription, tier }: OurSubscription) =>
    PAYING.includes(subscription.status) ? TIERS.indexOf(tier) : 0
  return subscriptions
    .filter(({ status }) => !OVER.includes(status))
    .flatMap((subscription) => {
      const items = subscription.items.flatMap((item) => {
        const tier = tierOf(item, offers)
        return tier === null ? [] : [{ subscription, item, tier }]
      })
      return items.slice(0, 1)
    })
    .sort((a, b) => worth(b) - worth(a) || b.subscription.createdAt - a.subscription.createdAt)
}

/**
 * What is paid for from now on. More counts at once; less counts from the next period on, since this one is
 * paid; an end, or a payment that was given up, counts when it comes. While the provider still tries to
 * collect (`past_due`), the plan stays what it is.
 */
export function decidePlan(before: PaidPlan, running: OurSubscription | null, now: RealMs): PaidPlan {
  if (!running) return NOTHING_PAID
  const { subscription, item } = running
  const paid = paidTier(before, running)
  const isLater = paid !== 'free' && isHigher(before.tier, paid) && !isNewPeriod(before, running, now)
  return {
    tier: isLater ? before.tier : paid,
    pendingTier: isLater ? paid : null,
    subscriptionId: subscription.id,
    status: subscription.status,
    billingInterval: item.interval,
    currentPeriodStart: item.periodStart,
    currentPeriodEnd: item.periodEnd,
    cancelAtPeriodEnd: subscription.isEnding,
  }
}

function paidTier(before: PaidPlan, { subscription, tier }: OurSubscription): Tier {
  if (!PAYING.includes(subscription.status)) return 'free'
  const isUnpaidRise = subscription.status === 'past_due' && isHigher(tier, before.tier)
  return isUnpaidRise ? before.tier : tier
}

/** Whether the period that `before` was paid for is over, by the clock or by the provider's word. */
function isNewPeriod(before: PaidPlan, { subscription, item }: OurSubscription, now: RealMs): boolean {
  if (before.subscriptionId !== subscription.id) return true
  if (before.currentPeriodStart === null || before.currentPeriodEnd === null) return true
  return item.periodStart > before.currentPeriodStart || now >= before.currentPeriodEnd
}

/** The organization's plan: what was set last, by a change of what is paid for or by the operator. */
export function planAfter(plan: Tier, before: PaidPlan, after: PaidPlan): Tier {
  return after.tier === before.tier ? plan : after.tier
}
