import { asc, eq, sql } from 'drizzle-orm'
import { aboutColumn, ownerColumn } from '../../../outbox/mail/about/statements.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'
import { disputes, payments, refunds } from '../../../platform/db/schema/payments.ts'
import type { PaymentRow } from '../queries.ts'
import { copyPaymentToBooking, type PaymentWithDispute } from '../statements.ts'
import { type DisputeRow, latestOf } from './money-of.ts'

type RefundRow = typeof refunds.$inferSelect

/** All that is known of the money of a payment, as of one moment. */
export type Ledger = {
  readonly payment: PaymentWithDispute
  readonly refunds: readonly RefundRow[]
  readonly disputes: readonly DisputeRow[]
}

export async function findLedger(db: Db, paymentId: string): Promise<Ledger | null> {
  const [[payment], ofRefunds, ofDisputes] = await db.batch([
    db.select().from(payments).where(eq(payments.id, paymentId)),
    db.select().from(refunds).where(eq(refunds.paymentId, paymentId)).orderBy(asc(refunds.id)),
    db.select().from(disputes).where(eq(disputes.paymentId, paymentId)),
  ])
  if (!payment) return null
  return {
    payment: { ...payment, dispute: latestOf(ofDisputes) },
    refunds: ofRefunds,
    disputes: ofDisputes,
  }
}

/** Changes the money of a payment that is still as it was read; else the batch is refused. */
export function storeMoney(db: Db, read: PaymentRow, after: PaymentRow): Statement[] {
  const { id, status, refundedAmount, reservedAmount, disputedAmount, lostAmount } = after
  const { refundedFee, refundId, updatedAt } = after
  const amounts = { refundedAmount, reservedAmount, disputedAmount, lostAmount, refundedFee }
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM payments WHERE id = ${id} AND status = ${read.status}
    AND refunded_amount = ${read.refundedAmount} AND reserved_amount = ${read.reservedAmount}
    AND disputed_amount = ${read.disputedAmount} AND lost_amount = ${read.lostAmount}
    AND refunded_fee = ${read.refundedFee})`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db
      .update(payments)
      .set({ status, ...amounts, refundId, updatedAt })
      .where(eq(payments.id, id)),
    copyPaymentToBooking(db, id),
  ]
}

/** Stores a dispute that is still as it was `read`, or unknown where that is null; else the batch is refused. */
export function storeDispute(db: Db, read: DisputeRow | null, after: DisputeRow): Statement[] {
  if (read === null) {
    const isKnown = sql`EXISTS (SELECT 1 FROM disputes WHERE id = ${after.id})`
    return [refuseWhen(db, 'STALE', isKnown), db.insert(disputes).values(after)]
  }
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM disputes WHERE id = ${read.id} AND phase = ${read.phase}
    AND amount = ${read.amount})`
  return [refuseWhen(db, 'STALE', isChanged), db.update(disputes).set(after).where(eq(disputes.id, read.id))]
}

/** What an email to the owner says about a payment; null when its booking is gone. */
export async function findFactsOfPayment(db: Db, paymentId: string) {
  const [facts] = await db
    .select({
      startTime: bookings.startTime,
      inviteeName: bookings.inviteeName,
      inviteeEmail: bookings.inviteeEmail,
      about: aboutColumn(),
      people: ownerColumn(),
    })
    .from(payments)
    .innerJoin(bookings, eq(bookings.id, payments.bookingId))
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, payments.organizationId))
    .where(eq(payments.id, paymentId))
  return facts ?? null
}
export type PaymentFacts = NonNullable<Awaited<ReturnType<typeof findFactsOfPayment>>>
