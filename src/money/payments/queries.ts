import { and, asc, desc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, isDueInSandbox, staysHere } from '../../platform/db/due-page.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import { leaseAt, takeLease } from '../../platform/db/leases.ts'
import { cursorOf, inOrder, onPage } from '../../platform/db/list-page.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { paymentSums, payments } from '../../platform/db/schema/payments.ts'
import { idempotencyKeys } from '../../platform/db/schema/records.ts'
import { assertCursor } from '../../platform/http/page.ts'
import type { AskedMs, PresentMs, RealMs } from '../../platform/limits/clock.ts'

import type { PaymentQuery } from './schema.ts'
import {
  copyPaymentToBooking,
  PAYMENT_WITH_DISPUTE,
  type PaymentWithDispute,
  selectPayment,
} from './statements.ts'

export type PaymentRow = typeof payments.$inferSelect

// Written out, so that the index of the unpaid ones is found.
const isStillUnpaid = sql`payments.status IN ('pending', 'failed')`

export function isUnpaid({ status }: Pick<PaymentRow, 'status'>): boolean {
  return status === 'pending' || status === 'failed'
}

export const inTenant = inTenantOf(payments)

export async function findPayment(db: Db, id: string): Promise<PaymentRow | null> {
  const [row] = await selectPayment(db, id)
  return row ?? null
}

export async function findPaymentInTenant(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<PaymentWithDispute | null> {
  // As a batch, it shares the round trip of the screen's other reads.
  const [[row]] = await db.batch([
    db
      .select(PAYMENT_WITH_DISPUTE)
      .from(payments)
      .where(and(inTenant(tenant), eq(payments.id, id))),
  ])
  return row ?? null
}

export async function findPaymentOfBooking(db: Db, bookingId: string): Promise<PaymentRow | null> {
  const [row] = await db.select().from(payments).where(eq(payments.bookingId, bookingId))
  return row ?? null
}

/** The payment of an intent. If the intent's id never reached us, its metadata names the payment. */
export async function findPaymentOfIntent(
  db: Db,
  intentId: string,
  paymentId?: string,
): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(
      or(
        eq(payments.intentId, intentId),
        and(eq(payments.id, paymentId ?? ''), isNull(payments.intentId), eq(payments.isTest, false)),
      ),
    )
    .limit(1)
  return row ?? null
}

/** On that page of the list, which one row more belongs to. */
export function isOnPage(tenant: Tenant, query: PaymentQuery) {
  const { status } = query
  return and(
    inTenant(tenant),
    status === undefined ? undefined : inArray(payments.status, [...status]),
    onPage({ id: payments.id, createdAt: payments.createdAt, mayDiffer: tenant.isTest }, query),
  )
}

/** One row more than the page holds, newest first. */
export async function listPaymentsInTenant(
  db: Db,
  tenant: Tenant,
  query: PaymentQuery,
): Promise<PaymentWithDispute[]> {
  const [rows, cursor] = await db.batch([
    db
      .select(PAYMENT_WITH_DISPUTE)
      .from(payments)
      .where(isOnPage(tenant, query))
      .orderBy(inOrder(payments.id, query))
      .limit(query.limit + 1),
    db
      .select({ id: payments.id })
      .from(payments)
      .where(and(inTenant(tenant), eq(payments.id, cursorOf(query)))),
  ])
  assertCursor(query, cursor)
  return rows
}

/** Per currency, the one with the most revenue first. */
export async function sumPaymentsInTenant(db: Db, { organizationId, isTest }: Tenant) {
  const [rows] = await db.batch([
    db
      .select()
      .from(paymentSums)
      .where(and(eq(paymentSums.organizationId, organizationId), eq(paymentSums.isTest, isTest)))
      .orderBy(desc(paymentSums.revenue), asc(paymentSums.currency)),
  ])
  return rows
}

export function insertPayment(db: Db, row: typeof payments.$inferInsert): Statement {
  return db.insert(payments).values(row)
}

export function updatePayment(db: Db, id: string, changes: Partial<PaymentRow>): Statement {
  return db.update(payments).set(changes).where(eq(payments.id, id))
}

/** Changes a payment that still has the status in which it was read: else the batch is refused. */
export function updatePaymentAsRead(db: Db, read: PaymentRow, changes: Partial<PaymentRow>): Statement[] {
  const { id, status } = read
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM payments WHERE id = ${id} AND status = ${status})`
  return [
    refuseWhen(db, 'STALE', isChanged),
    updatePayment(db, id, changes),
    ...(changes.status === undefined ? [] : [copyPaymentToBooking(db, id)]),
  ]
}

/** Refuses the batch when a payment is under way by now. */
export function guardNotProcessing(db: Db, id: string): Statement {
  return refuseWhen(
    db,
    'STALE',
    sql`EXISTS (SELECT 1 FROM payments WHERE id = ${id} AND status = 'processing')`,
  )
}

/** It will not be paid. A stored response that was not returned yet is deleted with it, so that its key can be used again. */
export function cancelUnpaid(db: Db, id: string, nextAttemptAt: number | null, now: AskedMs): Statement[] {
  const isItsKey = sql`(scope, key) IN (SELECT kept_scope, kept_key FROM payments
    WHERE id = ${id} AND intent_id IS NULL)`
  return [
    db.delete(idempotencyKeys).where(isItsKey),
    db
      .update(payments)
      .set({ status: 'cancelled', nextAttemptAt, attempts: 0, updatedAt: now })
      .where(and(eq(payments.id, id), inArray(payments.status, ['pending', 'processing', 'failed']))),
    copyPaymentToBooking(db, id),
  ]
}

/** The provider created the intent. Later changes of the payment stay, and so does its remaining work. */
export function writeIntent(db: Db, id: string, intentId: string) {
  return db
    .update(payments)
    .set({
      intentId,
      nextAttemptAt: sql`CASE WHEN status IN ('pending', 'failed') THEN NULL ELSE next_attempt_at END`,
      attempts: 0,
      keptScope: null,
      keptKey: null,
    })
    .where(eq(payments.id, id))
    .returning({ status: payments.status })
}

/** Takes a payment whose turn has come, so that nobody else asks the provider about it for the length of a lease. */
export async function claimPayment(db: Db, id: string, now: RealMs): Promise<PaymentRow | null> {
  const [row] = await takeLease(db, payments, eq(payments.id, id), leaseAt('payment', now))
  return row ?? null
}

/** When the provider is asked again, unless somebody set that again since it was claimed. */
export async function putOff(db: Db, row: PaymentRow, nextAttemptAt: number | null): Promise<void> {
  await db
    .update(payments)
    .set({ nextAttemptAt })
    .where(and(eq(payments.id, row.id), eq(payments.nextAttemptAt, row.nextAttemptAt ?? 0)))
}

export function selectDuePayments(
  db: Db,
  now: RealMs,
  last?: { readonly nextAttemptAt: number | null; readonly id: string },
) {
  const { id, nextAttemptAt } = payments
  const isNext = comesAfter([nextAttemptAt, id], last && [last.nextAttemptAt, last.id])
  return db
    .select({ id, nextAttemptAt })
    .from(payments)
    .where(and(lte(nextAttemptAt, now), staysHere(payments.organizationId), isNext))
    .orderBy(asc(nextAttemptAt), asc(id))
    .limit(DUE_A_PAGE)
}

export const EXPIRED_A_PAGE = 50

type LastUnpaid = Pick<PaymentRow, 'expiresAt' | 'id'>

function follows(last: LastUnpaid | undefined) {
  return comesAfter([payments.expiresAt, payments.id], last && [last.expiresAt, last.id])
}

const unpaidColumns = {
  id: payments.id,
  expiresAt: payments.expiresAt,
  isTest: payments.isTest,
  bookingId: payments.bookingId,
  eventTypeId: payments.eventTypeId,
  intentId: payments.intentId,
  providerAccountId: payments.providerAccountId,
  delayedMethods: payments.delayedMethods,
}

/** Live ones that nobody paid in time. */
export function selectExpiredPayments(db: Db, now: RealMs, last?: LastUnpaid) {
  return db
    .select(unpaidColumns)
    .from(payments)
    .where(
      and(
        isStillUnpaid,
        eq(payments.isTest, false),
        lte(payments.expiresAt, now),
        staysHere(payments.organizationId),
        follows(last),
      ),
    )
    .orderBy(asc(payments.expiresAt), asc(payments.id))
    .limit(EXPIRED_A_PAGE)
}

export type ExpiredPayment = Awaited<ReturnType<typeof selectExpiredInSandbox>>[number]

/** The same for one sandbox, by its present. */
export function selectExpiredInSandbox(db: Db, organizationId: string, now: PresentMs, last?: LastUnpaid) {
  return db
    .select(unpaidColumns)
    .from(payments)
    .where(
      and(
        eq(payments.organizationId, organizationId),
        sql`payments.is_test = 1`,
        isStillUnpaid,
        isDueInSandbox(payments.expiresAt, organizationId, now),
        follows(last),
      ),
    )
    .orderBy(asc(payments.expiresAt), asc(payments.id))
    .limit(EXPIRED_A_PAGE)
}
