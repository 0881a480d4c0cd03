import { formatInstant, formatNullable } from '../../platform/http/instants.ts'
import type { sumPaymentsInTenant } from './queries.ts'
import type { Payment, PaymentSummary } from './schema.ts'
import type { PaymentWithDispute } from './statements.ts'

export function presentPayment(row: PaymentWithDispute): Payment {
  const { dispute } = row
  return {
    id: row.id,
    booking_id: row.bookingId,
    payment_provider_payment_intent_id: row.intentId,
    amount: row.amount,
    currency: row.currency,
    platform_fee: row.platformFee,
    status: row.status,
    refund_id: row.refundId,
    refunded_amount: row.refundedAmount,
    refund_policy: row.refundPolicy,
    dispute: dispute && {
      id: dispute.id,
      status: dispute.phase,
      amount: dispute.amount,
      reason: dispute.reason,
      evidence_due_at: formatNullable(dispute.evidenceDueAt),
      created_at: formatInstant(dispute.createdAt),
    },
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

type Sums = Pick<
  Awaited<ReturnType<typeof sumPaymentsInTenant>>[number],
  'currency' | 'revenue' | 'fees' | 'refunded' | 'lost' | 'pending'
>

const NOTHING: Sums = { currency: 'usd', revenue: 0, fees: 0, refunded: 0, lost: 0, pending: 0 }

export function presentSummary(rows: readonly Sums[]): PaymentSummary {
  return { ...presentSums(rows[0] ?? NOTHING), by_currency: rows.map(presentSums) }
}

function presentSums({ currency, revenue, fees, refunded, lost, pending }: Sums) {
  return {
    total_revenue: revenue,
    platform_fees: fees,
    total_refunded: refunded,
    total_dispute_lost: lost,
    pending_count: pending,
    currency,
  }
}
