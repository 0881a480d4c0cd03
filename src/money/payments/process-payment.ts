import { HOUR_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { isUnpaid, type PaymentRow, updatePaymentAsRead } from './queries.ts'
import { NOT_PAID_IN_TIME } from './reasons.ts'
import { askToGiveUp } from './settle-booking.ts'

/** How often the provider is asked about a payment under way, in case its event is lost. */
const LOOK_MS = 6 * HOUR_MS

export function lookAgainAt(now: number): number {
  return now + LOOK_MS
}

/**
 * A payment is under way, and it may take days until it is known whether there is money: its booking waits, however long
 * that takes. One that lost its time before is given up.
 */
export async function processPayment(
  env: Env,
  db: Db,
  read: PaymentRow,
  news: { readonly intentId: string | null; readonly origin: Origin; readonly now: PresentMs },
): Promise<void> {
  if (!isUnpaid(read)) return
  const { origin, now } = news
  try {
    await commitBatch(db, [
      ...updatePaymentAsRead(db, read, {
        status: 'processing',
        intentId: read.intentId ?? news.intentId,
        nextAttemptAt: read.isTest ? null : lookAgainAt(Date.now()),
        updatedAt: now,
      }),
      recordActivity(db, read, origin, {
        action: 'payment.processing',
        resourceType: 'payment',
        resourceId: read.id,
        changes: { status: [read.status, 'processing'] },
      }),
    ])
  } catch (error) {
    // It was paid, failed or was given up in between.
    if (fenceOf(error) !== 'STALE') throw error
  }
  await askToGiveUp(env, read, NOT_PAID_IN_TIME, now)
}
