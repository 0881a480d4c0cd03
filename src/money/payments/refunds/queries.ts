import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../../platform/db/due-page.ts'
import { leaseAt, takeLease } from '../../../platform/db/leases.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { payments, refunds } from '../../../platform/db/schema/payments.ts'
import type { AskedMs, RealMs } from '../../../platform/limits/clock.ts'
import type { PaymentRow } from '../queries.ts'

export type RefundRow = typeof refunds.$inferSelect

export async function findRefundOfClaim(db: Db, claim: string, after: number): Promise<RefundRow | null> {
  const [row] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.claim, claim), gt(refunds.createdAt, after)))
  return row ?? null
}

/** Whether nobody knows yet how a refund ended. */
export async function isRequested(db: Db, id: string): Promise<boolean> {
  const [row] = await db.select({ status: refunds.status }).from(refunds).where(eq(refunds.id, id))
  return row?.status === 'requested'
}

export function listRefundsOf(db: Db, paymentId: string): Promise<RefundRow[]> {
  return db.select().from(refunds).where(eq(refunds.paymentId, paymentId))
}

/** Puts an amount aside; the batch is refused when the payment has not so much left at the moment of the commit. */
export function reserveAmount(db: Db, { id }: PaymentRow, amount: number, now: AskedMs): Statement[] {
  const isTooMuch = sql`NOT EXISTS (SELECT 1 FROM payments WHERE id = ${id}
    AND status IN ('succeeded', 'partially_refunded') AND refunded_amount + reserved_amount + ${amount} <= amount)`
  return [
    refuseWhen(db, 'STALE', isTooMuch),
    db
      .update(payments)
      .set({ reservedAmount: sql`${payments.reservedAmount} + ${amount}`, updatedAt: now })
      .where(eq(payments.id, id)),
  ]
}

/**
 * Makes a requested refund without an outcome due now, with the given reason. The batch is refused if the refund ended in the
 * meantime.
 */
export function oweRequested(db: Db, { id, reservedAmount }: PaymentRow, reason: string): Statement[] {
  const isEnded = sql`NOT EXISTS (SELECT 1 FROM payments WHERE id = ${id} AND reserved_amount = ${reservedAmount})`
  return [
    refuseWhen(db, 'STALE', isEnded),
    db
      .update(refunds)
      .set({ cause: 'policy', reason })
      .where(and(eq(refunds.paymentId, id), eq(refunds.status, 'requested'))),
  ]
}

export function insertRefund(db: Db, row: typeof refunds.$inferInsert): Statement {
  return db.insert(refunds).values(row)
}

/** The same for one that was made at the provider: the batch is refused where it is known by now. */
export function takeInRefund(db: Db, row: RefundRow): Statement[] {
  const isKnown = sql`EXISTS (SELECT 1 FROM refunds WHERE provider_refund_id = ${row.providerRefundId})`
  return [refuseWhen(db, 'STALE', isKnown), insertRefund(db, row)]
}

/** A key that was used long ago may be used again. */
export function forgetClaim(db: Db, claim: string, before: number): Statement {
  return db
    .update(refunds)
    .set({ claim: null, claimedFor: null })
    .where(and(eq(refunds.claim, claim), lte(refunds.createdAt, before)))
}

/** Changes a refund that is still as it was read; else the batch is refused. */
export function updateRefundAsRead(db: Db, read: RefundRow, changes: Partial<RefundRow>): Statement[] {
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM refunds WHERE id = ${read.id} AND status = ${read.status}
    AND cause = ${read.cause})`
  return [refuseWhen(db, 'STALE', isChanged), db.update(refunds).set(changes).where(eq(refunds.id, read.id))]
}

/** Takes a refund whose turn has come, so that nobody else asks the provider about it for the length of a lease. */
export async function claimRefund(db: Db, id: string, now: RealMs): Promise<RefundRow | null> {
  const isMeant = and(eq(refunds.id, id), eq(refunds.status, 'requested'))
  const [row] = await takeLease(db, refunds, isMeant, leaseAt('refund', now))
  return row ?? null
}

export async function putOff(db: Db, id: string, nextAttemptAt: number): Promise<void> {
  await db
    .update(refunds)
    .set({ nextAttemptAt })
    .where(and(eq(refunds.id, id), eq(refunds.status, 'requested')))
}

export function selectDueRefunds(
  db: Db,
  now: RealMs,
  last?: { readonly nextAttemptAt: number | null; readonly id: string },
) {
  const { id, nextAttemptAt } = refunds
  const isNext = comesAfter([nextAttemptAt, id], last && [last.nextAttemptAt, last.id])
  return db
    .select({ id, nextAttemptAt })
    .from(refunds)
    .where(and(lte(nextAttemptAt, now), staysHere(refunds.organizationId), isNext))
    .orderBy(asc(nextAttemptAt), asc(id))
    .limit(DUE_A_PAGE)
}

export function selectDueRefundsOf(db: Db, paymentId: string, now: RealMs) {
  return db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), lte(refunds.nextAttemptAt, now)))
}
