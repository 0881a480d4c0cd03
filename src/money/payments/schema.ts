import * as z from 'zod'
import { Id, Lines, ResourceId, Several, Timestamp } from '../../platform/http/fields.ts'
import { PageQuery, pageOf } from '../../platform/http/page-schema.ts'

export const PaymentStatus = z
  .enum([
    'pending',
    'processing',
    'succeeded',
    'failed',
    'cancelled',
    'refunded',
    'partially_refunded',
    'disputed',
    'dispute_lost',
  ])
  .meta({ id: 'PaymentStatus', description: 'The state of a payment.' })
const AMOUNT = z.int().min(0)

export const RefundRule = z
  .object({
    until_minutes_before: z.int().min(0).max(527_040).describe('Minutes before the start; 0 is the start.'),
    percent: z.int().min(0).max(100).describe('The percentage of the paid amount.'),
  })
  .meta({
    id: 'RefundRule',
    description: 'Until these minutes before the start, cancelling refunds this percentage.',
    example: { until_minutes_before: 1440, percent: 100 },
  })

const Dispute = z
  .object({
    id: z.string().describe("The provider's."),
    status: z
      .enum(['inquiry', 'open', 'won', 'lost', 'closed'])
      .describe(
        'An `inquiry` is only a question: no money was taken, and refunds still work. `closed` is an inquiry that ended without taking money. `open` has taken the money until it is `won` or `lost`.',
      ),
    amount: AMOUNT,
    reason: z.string().describe("The bank's, such as `fraudulent`."),
    evidence_due_at: Timestamp.nullable().describe('Until when you can respond; null if you cannot.'),
    created_at: Timestamp,
  })
  .meta({ id: 'Dispute', description: "A dispute of the payer's bank." })

export const Payment = z
  .object({
    id: ResourceId,
    booking_id: ResourceId,
    payment_provider_payment_intent_id: z
      .string()
      .nullable()
      .describe('Null until the provider has confirmed it.'),
    amount: AMOUNT.describe('In the smallest unit of the currency, such as cents.'),
    currency: z.string(),
    platform_fee: AMOUNT.describe('1 %, rounded half up in the steps of the currency.'),
    status: PaymentStatus.describe(
      "While a dispute is open it is `disputed`; if won, the previous status; if lost, `dispute_lost`. A `failed` attempt may be followed by a successful one, for as long as the booking waits. A `processing` payment keeps the booking's time until it succeeds or fails.",
    ),
    refund_id: z
      .string()
      .nullable()
      .describe("The provider's id of the last refund, even if a bank returned it."),
    refunded_amount: AMOUNT.describe('The amount refunded so far, here or at the provider.'),
    refund_policy: z
      .array(RefundRule)
      .describe(
        'The refund policy for cancels by the invitee, as agreed. After they reschedule, the refund is at most what it was at that moment.',
      ),
    dispute: Dispute.nullable().describe('The latest one; null without a dispute.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'Payment',
    description: 'The price of a booking, and the state of its payment.',
    example: {
      id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      booking_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c43',
      payment_provider_payment_intent_id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
      amount: 5000,
      currency: 'usd',
      platform_fee: 50,
      status: 'pending' as const,
      refund_id: null,
      refunded_amount: 0,
      refund_policy: [{ until_minutes_before: 1440, percent: 100 }],
      dispute: null,
      created_at: '2026-03-01T09:00:00.000Z',
      updated_at: '2026-03-01T09:00:00.000Z',
    },
  })
export type Payment = z.output<typeof Payment>

export const PaymentPage = pageOf(Payment, 'PaymentPage')
export const PaymentQuery = PageQuery.extend({
  status: Several(PaymentStatus, { $ref: '#/components/schemas/PaymentStatus' }),
})
export type PaymentQuery = z.output<typeof PaymentQuery>
export const PaymentParams = z.object({ id: Id })

const sums = {
  total_revenue: AMOUNT.describe('The amount paid, before refunds.'),
  platform_fees: AMOUNT.describe(
    "The platform's fee: a refund returns its share, except one made in the provider's dashboard.",
  ),
  total_refunded: AMOUNT,
  total_dispute_lost: AMOUNT.describe('The amount lost in disputes.'),
  pending_count: AMOUNT.describe('`pending` and `processing` ones.'),
  currency: z.string(),
}

export const PaymentSummary = z
  .object({
    ...sums,
    by_currency: z.array(z.object(sums)).describe('The sums of each currency, the most revenue first.'),
  })
  .meta({
    id: 'PaymentSummary',
    description:
      'All payments of the organization in the mode of the caller. Amounts of different currencies are never added up: the sums at the top are those of the currency with the most revenue.',
    example: {
      total_revenue: 5000,
      platform_fees: 50,
      total_refunded: 0,
      total_dispute_lost: 0,
      pending_count: 1,
      currency: 'usd',
      by_currency: [
        {
          total_revenue: 5000,
          platform_fees: 50,
          total_refunded: 0,
          total_dispute_lost: 0,
          pending_count: 1,
          currency: 'usd',
        },
      ],
    },
  })
export type PaymentSummary = z.output<typeof PaymentSummary>

export const DisputeSimulation = z
  .object({
    status: z
      .enum(['inquiry', 'open', 'won', 'lost'])
      .prefault('open')
      .describe('The state of the dispute. Ending one opens it first.'),
  })
  .meta({ id: 'DisputeSimulation', description: 'An action of the bank.', example: { status: 'lost' } })
export type DisputeSimulation = z.output<typeof DisputeSimulation>

export const RefundInput = z
  .object({
    amount: z.int().min(1).max(1_000_000_000_000).optional().describe('Default: all that is left.'),
    reason: Lines(500).nullable().optional(),
  })
  .meta({
    id: 'RefundInput',
    description: 'The amount to refund.',
    example: { amount: 2500, reason: 'We met for half an hour only.' },
  })

export const PROVIDER_ACCOUNT = z
  .string()
  .nullable()
  .describe(
    "The account at the provider that the payment is made to: the provider's form in the browser needs it (`stripeAccount`). Null if the payment was imported from an untrusted file.",
  )

export const BookingPayment = z
  .object({
    id: ResourceId,
    status: PaymentStatus,
    amount: AMOUNT,
    currency: z.string(),
    client_secret: z
      .string()
      .nullable()
      .describe('The secret for paying; null once it is settled, and while a payment is `processing`.'),
    payment_provider_account_id: PROVIDER_ACCOUNT,
    expires_at: Timestamp.describe(
      'If unpaid by then, the booking is cancelled, unless a payment is `processing`.',
    ),
  })
  .meta({
    id: 'BookingPayment',
    description: 'The price of a booking, for the person who pays it.',
    example: {
      id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      status: 'pending' as const,
      amount: 5000,
      currency: 'usd',
      client_secret: 'pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH',
      payment_provider_account_id: 'acct_1MZ7Hq2eZvKYlo2C',
      expires_at: '2026-03-01T09:30:00.000Z',
    },
  })
export type BookingPayment = z.output<typeof BookingPayment>
