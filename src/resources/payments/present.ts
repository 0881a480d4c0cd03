import { formatInstant } from '../../http/instants.ts'
import type { PaymentRow, sumPaymentsInTenant } from './queries.ts'
import type { Payment, PaymentSummary } from './schema.ts'

export function presentPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    booking_id: row.bookingId,
    payment_provider_payment_intent_id: row.intentId,
    amount: row.amount,
    currency: row.currency,
    platform_fee: row.platformFee,
    status: row.status,
    refund_id: row.refundId,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

type Sums = Pick<
  Awaited<ReturnType<typeof sumPaymentsInTenant>>[number],
  'currency' | 'revenue' | 'fees' | 'refunded' | 'pending'
>

const NOTHING: Sums = { currency: 'usd', revenue: 0, fees: 0, refunded: 0, pending: 0 }

export function presentSummary(rows: readonly Sums[]): PaymentSummary {
  return { ...presentSums(rows[0] ?? NOTHING), by_currency: rows.map(presentSums) }
}

function presentSums({ currency, revenue, fees, refunded, pending }: Sums) {
  return {
    total_revenue: revenue,
    platform_fees: fees,
    total_refunded: refunded,
    pending_count: pending,
    currency,
  }
}
