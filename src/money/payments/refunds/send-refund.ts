import type { Env } from '../../../env.ts'
import type { Origin } from '../../../platform/auth/caller.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import type { Db } from '../../../platform/db/client.ts'
import { realNow } from '../../../platform/limits/clock.ts'
import { failureOf, stripeClient } from '../../stripe/client.ts'
import { createRefund, isUnderWay } from '../../stripe/payment-intents.ts'
import type { PaymentRow } from '../queries.ts'
import { announceWaiting } from './announce-waiting.ts'
import { moveRefund } from './move-refund.ts'
import type { RefundRow } from './queries.ts'

/** `refused` and `failed`: nothing went back; `unknown`: it may have. */
export type Sent = 'succeeded' | 'refused' | 'failed' | 'unknown'

/**
 * The provider repeats its answer to a key, failures too. A new key is safe once it says that it has no such refund, which is to
 * be asked before every attempt but the first.
 */
function keyOf({ id, attempts }: RefundRow): string {
  return attempts > 2 ? `${id}/${attempts}` : id
}

/** Asks the provider for a refund whose amount is reserved, and stores a success. The key makes it one refund. */
export async function sendRefund(
  env: Env,
  db: Db,
  refund: RefundRow,
  payment: PaymentRow,
  origin: Origin,
  patience?: AbortSignal,
): Promise<Sent> {
  const stripe = stripeClient(env, fetch, patience)
  if (!stripe || payment.intentId === null) return 'refused'
  let told: Awaited<ReturnType<typeof createRefund>>
  try {
    const metadata = { refund_id: refund.id, payment_id: payment.id, booking_id: payment.bookingId }
    const { intentId, platformFee: fee, providerAccountId } = payment
    const wanted = { intentId, amount: refund.amount, fee, providerAccountId, metadata }
    told = await createRefund(stripe, wanted, keyOf(refund))
  } catch (error) {
    const { kind, code } = failureOf(error)
    const cause = bareError(error).message
    console.error(JSON.stringify({ provider: 'refund', refundId: refund.id, kind, code, cause }))
    return kind
  }
  if (!isUnderWay(told)) return 'refused'
  const to = { status: 'succeeded' as const, providerRefundId: told.id }
  await moveRefund(env, db, refund, to, origin, realNow())
  await announceWaiting(env, db, payment, told)
  return 'succeeded'
}
