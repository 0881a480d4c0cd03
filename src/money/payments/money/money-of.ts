import type { disputes, payments, refunds } from '../../../platform/db/schema/payments.ts'

type PaymentRow = typeof payments.$inferSelect
export type DisputeRow = typeof disputes.$inferSelect
/** What the API shows of a dispute. */
export type ShownDispute = Pick<
  DisputeRow,
  'id' | 'amount' | 'reason' | 'phase' | 'evidenceDueAt' | 'createdAt'
>
type Refund = Pick<typeof refunds.$inferSelect, 'amount' | 'status'>
type Dispute = Pick<DisputeRow, 'amount' | 'phase'>

/** What became of the money of a payment. */
export type Money = Pick<
  PaymentRow,
  'status' | 'refundedAmount' | 'reservedAmount' | 'disputedAmount' | 'lostAmount'
>

/** What a payment is by its refunds and disputes. One that was not paid has neither. */
export function moneyOf(
  { status, amount }: Pick<PaymentRow, 'status' | 'amount'>,
  refunds: readonly Refund[],
  disputes: readonly Dispute[],
): Money {
  const refundedAmount = sumOf(refunds, ({ status }) => status === 'succeeded')
  const sums = {
    refundedAmount,
    reservedAmount: sumOf(refunds, ({ status }) => status === 'requested'),
    disputedAmount: sumOf(disputes, ({ phase }) => phase === 'open'),
    lostAmount: sumOf(disputes, ({ phase }) => phase === 'lost'),
  }
  if (!isPaid(status)) return { status, ...sums }
  if (disputes.some(({ phase }) => phase === 'open')) return { status: 'disputed', ...sums }
  if (disputes.some(({ phase }) => phase === 'lost')) return { status: 'dispute_lost', ...sums }
  if (refundedAmount >= amount) return { status: 'refunded', ...sums }
  return { status: refundedAmount > 0 ? 'partially_refunded' : 'succeeded', ...sums }
}

/** Whether it was paid, whatever became of the money since. */
export function isPaid(status: PaymentRow['status']): boolean {
  return !(['pending', 'processing', 'failed', 'cancelled'] as const).some((unpaid) => unpaid === status)
}

function sumOf<Row extends { readonly amount: number }>(
  rows: readonly Row[],
  counts: (row: Row) => boolean,
): number {
  return rows.reduce((sum, row) => sum + (counts(row) ? row.amount : 0), 0)
}

/** The one that was opened last; null without any. */
export function latestOf<D extends Pick<DisputeRow, 'id' | 'createdAt'>>(disputes: readonly D[]): D | null {
  const newestFirst = disputes.toSorted(
    (one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
  )
  return newestFirst[0] ?? null
}

/** Whether the bank has still to say how it ends. */
export function isUndecided({ phase }: Pick<DisputeRow, 'phase'>): boolean {
  return phase === 'open' || phase === 'inquiry'
}
