import type { Origin } from '../../auth/caller.ts'
import { commitBatch, type Db } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { AskedMs } from '../../limits/clock.ts'
import { recordActivity } from '../activity/statements.ts'
import { type PaymentRow, updatePaymentAsRead } from './queries.ts'

/** An attempt to pay failed. The booking waits on until it expires: the next attempt may succeed. */
export async function failPayment(db: Db, read: PaymentRow, origin: Origin, now: AskedMs): Promise<void> {
  if (read.status !== 'pending') return
  try {
    await commitBatch(db, [
      ...updatePaymentAsRead(db, read, { status: 'failed', updatedAt: now }),
      recordActivity(db, read, origin, {
        action: 'payment.failed',
        resourceType: 'payment',
        resourceId: read.id,
        changes: { status: ['pending', 'failed'] },
      }),
    ])
  } catch (error) {
    // It was paid or given up in between.
    if (fenceOf(error) !== 'STALE') throw error
  }
}
