import { formatNullable } from '../../platform/http/instants.ts'
import { PLANS, type Plan } from '../../platform/limits/plans.ts'
import type { Billing } from './queries.ts'
import type { Subscription } from './schema.ts'

export function presentLimits(plan: Plan): Subscription['limits'] {
  return {
    api_calls_per_minute: plan.callsPerMinute,
    api_calls_per_day: plan.callsPerDay,
    bookings_per_month: plan.bookingsPerMonth,
  }
}

/** A plan that nobody pays for is active and has no period that would end. */
export function presentSubscription({ tier, paid }: Billing): Subscription {
  const plan = PLANS[tier]
  const { status } = paid
  return {
    tier,
    plan: plan.name,
    status: status === null || status === 'incomplete_expired' ? 'active' : status,
    billing_interval: paid.billingInterval,
    current_period_start: formatNullable(paid.currentPeriodStart),
    current_period_end: formatNullable(paid.currentPeriodEnd),
    cancel_at_period_end: paid.cancelAtPeriodEnd,
    pending_tier: paid.pendingTier,
    limits: presentLimits(plan),
  }
}
