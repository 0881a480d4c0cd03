import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { named, preparedStatement } from '../../platform/db/prepared.ts'
import { disputes, payments, refunds } from '../../platform/db/schema/payments.ts'
import type { ShownDispute } from './money/money-of.ts'

/** A payment with its latest dispute, as the API shows it. */
export type PaymentWithDispute = typeof payments.$inferSelect & { readonly dispute: ShownDispute | null }

/** The columns of a payment as it is told. */
export const PAYMENT_WITH_DISPUTE = {
  ...getTableColumns(payments),
  dispute: named<ShownDispute | null>(
    sql`(SELECT json_object('id', d.id, 'amount', d.amount, 'reason', d.reason,
      'phase', d.phase, 'evidenceDueAt', d.evidence_due_at, 'createdAt', d.created_at)
    FROM disputes d WHERE d.payment_id = payments.id ORDER BY d.created_at DESC, d.id DESC LIMIT 1)`,
    (text: string) => JSON.parse(text),
    'dispute',
  ),
}

export function selectPayment(db: Db, id: string) {
  return db.select().from(payments).where(eq(payments.id, id))
}

/** For the batch that deletes the test bookings of an event type. */
export function dropTestPaymentsOf(db: Db, eventTypeId: string): Statement[] {
  const isTheirs = and(eq(payments.eventTypeId, eventTypeId), eq(payments.isTest, true))
  const theirs = db.select({ id: payments.id }).from(payments).where(isTheirs)
  return [
    db.delete(refunds).where(inArray(refunds.paymentId, theirs)),
    db.delete(disputes).where(inArray(disputes.paymentId, theirs)),
    db.delete(payments).where(isTheirs),
  ]
}

const tell = preparedStatement<readonly [paymentId: string]>(
  `UPDATE bookings SET payment = json_set(payment, '$.status', (SELECT status FROM payments WHERE id = ?1))
   WHERE id = (SELECT booking_id FROM payments WHERE id = ?1)`,
)

/** After the status of a payment changed: its booking shows it. */
export function copyPaymentToBooking(db: Db, paymentId: string): Statement {
  return tell(db, paymentId)
}

const cap = preparedStatement<readonly [bookingId: string, start: number, now: number]>(
  `UPDATE payments SET refund_policy = (
     SELECT json_group_array(json_object('until_minutes_before', one.value ->> 'until_minutes_before',
       'percent', min(one.value ->> 'percent', (
         SELECT coalesce(max(still.value ->> 'percent'), 0) FROM json_each(payments.refund_policy) AS still
         WHERE ?3 <= ?2 - (still.value ->> 'until_minutes_before') * ${MINUTE_MS}))))
     FROM json_each(payments.refund_policy) AS one)
   WHERE booking_id = ?1 AND refund_policy <> '[]'`,
)

/**
 * For the batch in which an invitee reschedules a booking away from `start`: the refund is capped at what cancelling would have
 * returned at that moment. Otherwise invitees who are too late for a refund would reschedule first, even after the start.
 */
export function capRefundPolicy(db: Db, bookingId: string, start: number, now: number): Statement {
  return cap(db, bookingId, start, now)
}
