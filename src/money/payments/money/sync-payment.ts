import type { Env } from '../../../env.ts'
import type { Db } from '../../../platform/db/client.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { learnPayment } from '../learn-payment.ts'
import { findPayment } from '../queries.ts'
import { isPaid } from './money-of.ts'
import { syncMoney } from './sync-money.ts'

/**
 * Asks the provider again how far a payment is and what became of its money, and lets all that follows from it follow.
 * Whatever an event says, this is what is true by now. Throws `StripeError`.
 */
export async function syncPayment(
  env: Env,
  db: Db,
  paymentId: string,
  now: RealMs,
  patience?: AbortSignal,
): Promise<void> {
  const row = await findPayment(db, paymentId)
  if (!row || row.isTest || row.intentId === null) return
  // What was paid first may have been refunded since, or disputed.
  if (!isPaid(row.status)) await learnPayment(env, db, row, row.intentId, now, patience)
  await syncMoney(env, db, paymentId, now, patience)
}
