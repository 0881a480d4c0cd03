import { recordActivity } from '../../outbox/activity/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { type PaymentRow, updatePaymentAsRead } from './queries.ts'

/** An attempt to pay failed, at once or days later. The booking waits until it expires: the next attempt may succeed. */
export async function failPayment(db: Db, read: PaymentRow, origin: Origin, now: AskedMs): Promise<void> {
  if (read.status !== 'pending' && read.status !== 'processing') return
  try {
    await commitBatch(db, [
      ...updatePaymentAsRead(db, read, { status: 'failed', nextAttemptAt: null, updatedAt: now }),
      recordActivity(db, read, origin, {
        action: 'payment.failed',
        resourceType: 'payment',
        resourceId: read.id,
        changes: { status: [read.status, 'failed'] },
      }),
    ])
  } catch (error) {
    // It was paid or given up in between.
    if (fenceOf(error) !== 'STALE') throw error
  }
}
