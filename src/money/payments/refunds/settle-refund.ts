import type { Env } from '../../../env.ts'
import { SYSTEM } from '../../../platform/auth/caller.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import { type Db, openDb } from '../../../platform/db/client.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { retryAt } from '../../../platform/queue/retry-schedules.ts'
import { syncMoney } from '../money/sync-money.ts'
import { findPayment } from '../queries.ts'
import { failRefund, lowerRefund, moveRefund } from './move-refund.ts'
import { claimRefund, isRequested, putOff, type RefundRow } from './queries.ts'
import { sendRefund } from './send-refund.ts'

/** Finishes a refund whose provider was never asked, or never answered. */
export async function settleRefund(
  env: Env,
  refundId: string,
  now: RealMs,
  patience?: AbortSignal,
): Promise<null> {
  const db = openDb(env, 'decide')
  const refund = await claimRefund(db, refundId, now)
  const payment = refund && (await findPayment(db, refund.paymentId))
  if (!refund || !payment) return null
  let sent: Awaited<ReturnType<typeof sendRefund>>
  try {
    if (refund.attempts > 1) {
      await syncMoney(env, db, payment.id, now, patience)
      // It was made already: under a new key it would be made twice.
      if (!(await isRequested(db, refundId))) return null
    }
    sent = await sendRefund(env, db, refund, payment, SYSTEM, patience)
  } catch (error) {
    console.error(JSON.stringify({ provider: 'refund', refundId, cause: bareError(error).message }))
    sent = 'unknown'
  }
  if (sent === 'succeeded') return null
  const next = retryAt('refund', refund.attempts, now)
  if (next === null) {
    await moveRefund(env, db, refund, { status: 'failed', providerRefundId: null }, SYSTEM, now)
    return null
  }
  const isOver = sent === 'refused' && !(await isStillOwed(env, db, refund, now, patience))
  if (isOver && (await failRefund(env, db, refund, SYSTEM, now))) return null
  await putOff(db, refundId, next)
  return null
}

/**
 * Whether the service itself requested the refund, so that no caller would request it again, and the payer did not get the
 * money back in another way: from their bank, or by a refund made at the provider. After a late payment, what is left is
 * refunded.
 */
async function isStillOwed(
  env: Env,
  db: Db,
  refund: RefundRow,
  now: RealMs,
  patience: AbortSignal | undefined,
): Promise<boolean> {
  const { cause, amount, paymentId } = refund
  if (cause !== 'late' && cause !== 'policy') return false
  try {
    await syncMoney(env, db, paymentId, now, patience)
  } catch {
    return true
  }
  const payment = await findPayment(db, paymentId)
  const left = payment && payment.status !== 'dispute_lost' ? payment.amount - payment.refundedAmount : 0
  if (amount <= left) return true
  if (cause !== 'late' || left <= 0) return false
  await lowerRefund(env, db, refund, left, now)
  return true
}
