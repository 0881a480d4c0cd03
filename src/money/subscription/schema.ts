import * as z from 'zod'
import { Tier, Timestamp } from '../../platform/http/fields.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { INTERVALS } from '../stripe/subscriptions.ts'
import { PAID_TIERS } from './offers.ts'

export const PlanLimits = z.object({
  api_calls_per_minute: z.int(),
  api_calls_per_day: z.int(),
  bookings_per_month: z.int(),
})

const BillingInterval = z
  .enum(INTERVALS)
  .meta({ id: 'BillingInterval', description: 'The billing interval of a plan.' })
type BillingInterval = z.output<typeof BillingInterval>

const SubscriptionStatus = z
  .enum(['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete', 'canceled'])
  .meta({ id: 'SubscriptionStatus', description: 'As reported by the payment provider.' })

export const Subscription = z
  .object({
    tier: Tier,
    plan: z.enum(Object.values(PLANS).map(({ name }) => name)).describe('The name of the plan.'),
    status: SubscriptionStatus.describe(
      'The status of the subscription, as reported by the payment provider. While a renewal is `past_due` the plan stays; once it is given up (`unpaid`) the plan is free. A plan without a subscription is `active`.',
    ),
    billing_interval: BillingInterval.nullable(),
    current_period_start: Timestamp.nullable(),
    current_period_end: Timestamp.nullable(),
    cancel_at_period_end: z.boolean(),
    pending_tier: Tier.nullable().describe(
      'The lower plan that the next period begins with; the current period is paid.',
    ),
    limits: PlanLimits,
  })
  .meta({
    id: 'Subscription',
    description: "The organization's plan.",
    example: {
      tier: 'starter',
      plan: 'Launch',
      status: 'active',
      billing_interval: 'month',
      current_period_start: '2026-03-01T09:00:00.000Z',
      current_period_end: '2026-04-01T09:00:00.000Z',
      cancel_at_period_end: false,
      pending_tier: null,
      limits: { api_calls_per_minute: 60, api_calls_per_day: 1000, bookings_per_month: 50 },
    },
  })
export type Subscription = z.output<typeof Subscription>

const ReturnUrl = z
  .url({ protocol: /^https?$/, error: problem('not_https') })
  .max(2048)
  .describe('An https URL on a public host.')
  .meta({ example: 'https://example.com/billing' })

export const CheckoutInput = z
  .object({
    tier: z.enum(PAID_TIERS),
    billing_interval: z
      .enum(['month', 'year', 'monthly', 'yearly'])
      .transform((name): BillingInterval => (name.startsWith('month') ? 'month' : 'year'))
      .describe('`monthly` and `yearly` mean the same.'),
    success_url: ReturnUrl,
    cancel_url: ReturnUrl,
  })
  .meta({
    id: 'CheckoutInput',
    description: 'The plan to buy and the return URL.',
    example: {
      tier: 'grow',
      billing_interval: 'month',
      success_url: 'https://example.com/billing?done',
      cancel_url: 'https://example.com/billing',
    },
  })
export type CheckoutInput = z.output<typeof CheckoutInput>

export const PortalInput = z.object({ return_url: ReturnUrl }).meta({
  id: 'PortalInput',
  description: 'The return URL.',
  example: { return_url: 'https://example.com/billing' },
})
export type PortalInput = z.output<typeof PortalInput>

export const BillingPage = z.object({ url: z.string() }).meta({
  id: 'BillingPage',
  description: 'A page of the payment provider to send the customer to.',
  example: { url: 'https://billing.example.com/session/1' },
})
export type BillingPage = z.output<typeof BillingPage>
