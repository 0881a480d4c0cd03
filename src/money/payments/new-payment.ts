import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import { amountOf, platformFeeOf } from '../../engine/schedule/price.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { insertWait } from '../../engine/waits/statements.ts'
import { waitOf } from '../../engine/waits/wait-of.ts'
import type { Env } from '../../env.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import { tokenFor } from '../../platform/auth/secret.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { LEASE_MS } from '../../platform/db/leases.ts'
import type { BookedPayment, BookingRow, ShownPrice } from '../../platform/db/schema/bookings.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { simulatedAccountId } from '../provider/simulated-account.ts'
import { insertPayment, updatePayment } from './queries.ts'

/** How long an unpaid booking holds its time. */
const HOLD_MS = 30 * MINUTE_MS

/** The payment of a booking with so many seats at this price; null where it costs nothing. `nearId` is an id of its place. */
export function newPayment(nearId: string, price: ShownPrice, seats: number): BookedPayment | null {
  const amount = amountOf(price, seats)
  if (amount === null) return null
  return { id: newId(nearId), status: 'pending', amount, currency: price.currency }
}

/** When a booking made then is cancelled if nobody has paid for it. */
export function heldUntil(bookedAt: number): number {
  return bookedAt + HOLD_MS
}

/** Promoted people read about it later, so they have longer to pay, as long as the next person on the waitlist still has time. */
const PROMOTED_MS = 12 * HOUR_MS
const BEFORE_START_MS = HOUR_MS

/** The same for somebody who was promoted from a waitlist: at least as long as others have, but not beyond the start. */
export function promotedUntil(promotedAt: number, start: number): number {
  const until = Math.min(promotedAt + PROMOTED_MS, start - BEFORE_START_MS)
  return Math.max(until, Math.min(heldUntil(promotedAt), start))
}

/** The same for somebody whose request was approved: they read of it later. */
export function approvedUntil(approvedAt: number, start: number): number {
  return Math.min(approvedAt + DAY_MS, start)
}

/** The same for a new booking. A booking made by the service is a promotion from the waitlist. */
export function payableUntil({ startTime }: BookingRow, { actorType }: Origin, now: PresentMs): number {
  return actorType === 'system' ? promotedUntil(now, startTime) : heldUntil(now)
}

/**
 * For the batch that makes the booking, or approves it: it waits to be paid `until` then. The provider is asked after the
 * commit, by the caller who asked for it; for one whom nobody waits for, the queue asks at once.
 */
export function paymentStatements(
  db: Db,
  { eventType, organization }: Schedule,
  row: BookingRow,
  origin: Origin,
  now: PresentMs,
  until: number,
  isAwaited = origin.actorType !== 'system',
): Statement[] {
  const { payment, isTest } = row
  if (!payment) return []
  const leaseMs = isAwaited ? LEASE_MS.payment : 0
  const { id, status, amount, currency } = payment
  return [
    insertPayment(db, {
      id,
      organizationId: row.organizationId,
      isTest,
      eventTypeId: row.eventTypeId,
      bookingId: row.id,
      providerAccountId: isTest ? null : organization.paymentAccountId,
      delayedMethods: eventType.delayedPaymentMethods,
      intentId: isTest ? simulatedIntentId(id) : null,
      amount,
      currency,
      platformFee: platformFeeOf(amount, currency),
      status,
      refundPolicy: eventType.refundPolicy,
      expiresAt: until,
      nextAttemptAt: isTest ? null : Date.now() + leaseMs,
      createdAt: now,
      updatedAt: now,
    }),
    insertWait(db, waitOf(row, { id, purpose: 'payment', expiresAt: until }, now)),
  ]
}

/** The stored response of a live booking lacks the client secret, so the payment names that response. */
export function linkStoredResponse(
  db: Db,
  { payment, isTest }: BookingRow,
  claim: IdempotencyClaim | null,
): Statement[] {
  if (!payment || isTest || !claim) return []
  return [updatePayment(db, payment.id, { keptScope: claim.scope, keptKey: claim.key })]
}

function simulatedIntentId(paymentId: string): string {
  return `pi_test_${paymentId.replaceAll('-', '')}`
}

export async function simulatedSecret(env: Env, paymentId: string): Promise<string> {
  const token = await tokenFor(env.ENCRYPTION_KEY, `client secret of ${paymentId}`)
  return `${simulatedIntentId(paymentId)}_secret_${token.slice(0, 24)}`
}

/**
 * The payment in the answer to a new booking. A live one has its secret once the provider was asked. Where that is
 * `unasked`, since nothing is booked, its secret names nothing.
 */
export async function createdPayment(
  env: Env,
  { payment, isTest, organizationId }: BookingRow,
  unasked: Pick<Schedule['organization'], 'paymentAccountId'> | null,
) {
  if (!payment || !(isTest || unasked)) return { payment }
  const client_secret = await simulatedSecret(env, payment.id)
  const payment_provider_account_id = isTest
    ? simulatedAccountId(organizationId)
    : (unasked?.paymentAccountId ?? null)
  return { payment: { ...payment, client_secret, payment_provider_account_id } }
}
