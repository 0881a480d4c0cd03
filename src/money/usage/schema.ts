import * as z from 'zod'
import { Tier, Timestamp } from '../../platform/http/fields.ts'
import { planLimitsOf } from '../../platform/limits/plan-limits.ts'
import { PlanNumbers } from '../plan-limits/schema.ts'
import { PlanLimits } from '../subscription/schema.ts'

const COUNT = z.int().min(0)

export const Usage = z
  .object({
    tier: Tier,
    limits: PlanLimits.extend(PlanNumbers.shape).describe(
      'The limits: calls for each key, the rest by plan or as the operator set it.',
    ),
    usage: z.object({
      api_calls_today: COUNT.describe("The counted calls of all the organization's keys in this mode."),
      api_calls_remaining_daily: COUNT,
      bookings_this_month: COUNT,
      bookings_remaining_monthly: COUNT.describe('In test mode bookings are free, so it stays at the limit.'),
    }),
    reset_at: z.object({ daily: Timestamp, monthly: Timestamp }),
  })
  .meta({
    id: 'Usage',
    description: 'How much of the plan the organization has used.',
    example: {
      tier: 'starter',
      limits: {
        api_calls_per_minute: 60,
        api_calls_per_day: 1000,
        bookings_per_month: 50,
        ...planLimitsOf({ tier: 'starter', planLimits: null }),
      },
      usage: {
        api_calls_today: 142,
        api_calls_remaining_daily: 858,
        bookings_this_month: 12,
        bookings_remaining_monthly: 38,
      },
      reset_at: { daily: '2026-03-10T00:00:00.000Z', monthly: '2026-04-01T00:00:00.000Z' },
    },
  })
export type Usage = z.output<typeof Usage>

const Period = z.enum(['7d', '30d'])

export const UsageSummary = z
  .object({
    period: Period,
    period_start: Timestamp.describe(
      'The start of a UTC day: the period is that many days, including today.',
    ),
    period_end: Timestamp,
    api_calls: z.object({ total: COUNT }),
    bookings: z
      .object({
        total: COUNT,
        confirmed: COUNT.describe('Including rescheduled ones.'),
        cancelled: COUNT,
        pending_approval: COUNT,
        pending_payment: COUNT,
      })
      .describe('The bookings made in the period, by their status.'),
    attendance: z
      .object({
        no_shows: COUNT.describe('Attendees who did not come.'),
        host_absent: COUNT.describe('Bookings without their host.'),
      })
      .describe('The attendance recorded for these bookings.'),
    event_types: z.object({ total: COUNT, active: COUNT }),
    calendar_connections: z.object({ total: COUNT, active: COUNT }),
    webhooks: z.object({ total_deliveries: COUNT, successful: COUNT, failed: COUNT }),
  })
  .meta({
    id: 'UsageSummary',
    description: "Statistics of the organization over the last days, in the caller's mode.",
    example: {
      period: '7d',
      period_start: '2026-03-03T00:00:00.000Z',
      period_end: '2026-03-09T13:00:00.000Z',
      api_calls: { total: 1204 },
      bookings: { total: 41, confirmed: 36, cancelled: 4, pending_approval: 0, pending_payment: 1 },
      attendance: { no_shows: 2, host_absent: 0 },
      event_types: { total: 5, active: 4 },
      calendar_connections: { total: 0, active: 0 },
      webhooks: { total_deliveries: 0, successful: 0, failed: 0 },
    },
  })
export type UsageSummary = z.output<typeof UsageSummary>

export const UsageSummaryQuery = z.object({ period: Period.default('30d') })
export type UsageSummaryQuery = z.output<typeof UsageSummaryQuery>
