import { recordActivity } from '../../outbox/activity/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { nextLook } from './money/next-check.ts'
import { type PaymentRow, updatePaymentAsRead } from './queries.ts'

/** Whether the payment may still succeed. Even a cancelled one may. */
export function isOpenPayment({ status }: PaymentRow): boolean {
  return (['pending', 'processing', 'failed', 'cancelled'] as const).some((open) => open === status)
}

/** For the batch that follows from the payment: it was made. */
export function paidStatements(
  db: Db,
  read: PaymentRow,
  news: { readonly intentId: string | null; readonly origin: Origin; readonly now: PresentMs },
): Statement[] {
  return [
    ...updatePaymentAsRead(db, read, {
      status: 'succeeded',
      intentId: read.intentId ?? news.intentId,
      nextAttemptAt: read.isTest ? null : nextLook(0, false, Date.now()),
      attempts: 0,
      updatedAt: news.now,
    }),
    recordActivity(db, read, news.origin, {
      action: 'payment.succeeded',
      resourceType: 'payment',
      resourceId: read.id,
      changes: { status: [read.status, 'succeeded'], amount: read.amount, currency: read.currency },
    }),
  ]
}
