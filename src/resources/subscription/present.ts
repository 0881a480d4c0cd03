import { PLANS, type Plan, type Tier } from '../../limits/plans.ts'
import type { Subscription } from './schema.ts'

export function presentLimits(plan: Plan): Subscription['limits'] {
  return {
    api_calls_per_minute: plan.callsPerMinute,
    api_calls_per_day: plan.callsPerDay,
    bookings_per_month: plan.bookingsPerMonth,
  }
}

/** A plan that the operator set: it has no price, so it has no period that would end. */
export function presentSubscription(tier: Tier): Subscription {
  const plan = PLANS[tier]
  return {
    tier,
    plan: plan.name,
    status: 'active',
    billing_interval: null,
    current_period_start: null,
    current_period_end: null,
    cancel_at_period_end: false,
    limits: presentLimits(plan),
  }
}
