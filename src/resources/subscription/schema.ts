import { z } from 'zod'
import { Timestamp } from '../../http/fields.ts'
import { TIERS } from '../../limits/plans.ts'

export const PlanLimits = z.object({
  api_calls_per_minute: z.int(),
  api_calls_per_day: z.int(),
  bookings_per_month: z.int(),
})

const BillingInterval = z.enum(['month', 'year'])

export const Subscription = z
  .object({
    tier: z.enum(TIERS),
    plan: z.string(),
    status: z.enum(['active']),
    billing_interval: BillingInterval.nullable(),
    current_period_start: Timestamp.nullable(),
    current_period_end: Timestamp.nullable(),
    cancel_at_period_end: z.boolean(),
    limits: PlanLimits,
  })
  .meta({
    id: 'Subscription',
    description: "The organization's plan.",
    example: {
      tier: 'starter',
      plan: 'Launch',
      status: 'active',
      billing_interval: null,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
      limits: { api_calls_per_minute: 60, api_calls_per_day: 1000, bookings_per_month: 50 },
    },
  })
export type Subscription = z.output<typeof Subscription>

const ReturnUrl = z
  .url({ protocol: /^https?$/, error: 'Is no http or https URL.' })
  .max(2048)
  .meta({ example: 'https://example.com/billing' })

export const CheckoutInput = z
  .object({
    tier: z.enum(['starter', 'grow', 'scale']),
    billing_interval: BillingInterval,
    success_url: ReturnUrl,
    cancel_url: ReturnUrl,
  })
  .meta({
    id: 'CheckoutInput',
    description: 'The plan to buy and where to come back to.',
    example: {
      tier: 'grow',
      billing_interval: 'month',
      success_url: 'https://example.com/billing?done',
      cancel_url: 'https://example.com/billing',
    },
  })

export const PortalInput = z.object({ return_url: ReturnUrl }).meta({
  id: 'PortalInput',
  description: 'Where to come back to.',
  example: { return_url: 'https://example.com/billing' },
})

export const BillingPage = z.object({ url: z.string() }).meta({
  id: 'BillingPage',
  description: 'Where to send the customer.',
  example: { url: 'https://billing.example.com/session/1' },
})
