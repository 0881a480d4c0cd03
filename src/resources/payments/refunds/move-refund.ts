import type { Origin } from '../../../auth/caller.ts'
import { commitBatch, type Db } from '../../../db/client.ts'
import { fenceOf } from '../../../db/refusals.ts'
import type { RealMs } from '../../../limits/clock.ts'
import { recordActivity } from '../../activity/statements.ts'
import { moveAmounts, type RefundRow, updateRefundAsRead } from './queries.ts'

type Status = RefundRow['status']

/** How much of a refund counts as reserved, and as refunded, in each status. */
const WEIGHT: Readonly<Record<Status, { readonly reserved: number; readonly refunded: number }>> = {
  requested: { reserved: 1, refunded: 0 },
  succeeded: { reserved: 0, refunded: 1 },
  failed: { reserved: 0, refunded: 0 },
}

/** Stores the provider's news about a refund, once however often it comes. */
export async function moveRefund(
  db: Db,
  read: RefundRow,
  to: { readonly status: Exclude<Status, 'requested'>; readonly providerRefundId: string | null },
  origin: Origin,
  now: RealMs,
): Promise<void> {
  const { amount, paymentId } = read
  const [before, after] = [WEIGHT[read.status], WEIGHT[to.status]]
  const by = {
    reserved: amount * (after.reserved - before.reserved),
    refunded: amount * (after.refunded - before.refunded),
  }
  const providerRefundId = to.providerRefundId ?? read.providerRefundId
  const isDone = to.status === 'succeeded'
  const changes = { status: to.status, providerRefundId, nextAttemptAt: null, updatedAt: now }
  try {
    await commitBatch(db, [
      ...updateRefundAsRead(db, read, isDone ? changes : { ...changes, claim: null }),
      ...moveAmounts(db, paymentId, by, isDone ? providerRefundId : null, now),
      recordActivity(db, read, origin, {
        action: isDone ? 'payment.refunded' : 'payment.refund_failed',
        resourceType: 'payment',
        resourceId: paymentId,
        changes: { amount, refund_id: providerRefundId, reason: read.reason },
      }),
    ])
  } catch (error) {
    // Another request has stored the same news.
    if (fenceOf(error) !== 'STALE') throw error
  }
}
