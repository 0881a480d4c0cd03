import { SYSTEM } from '../../../auth/caller.ts'
import { bareError } from '../../../db/bare-error.ts'
import { openDb } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import { moveRefund } from './move-refund.ts'
import { LEASE_MS } from './new-refund.ts'
import { claimRefund, findPayment, putOff, type RefundRow } from './queries.ts'
import { PAID_TOO_LATE } from './refund-whole.ts'
import { sendRefund } from './send-refund.ts'
import { syncRefunds } from './sync-refunds.ts'

/** Seconds to wait after the first, second … failure; one that fails once more is given up. */
const RETRY_SECONDS = [30, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400] as const

/** Finishes a refund whose provider was never asked, or never answered. */
export async function settleRefund(env: Env, refundId: string, now: number): Promise<null> {
  const db = openDb(env, 'decide')
  const refund = await claimRefund(db, refundId, now, now + LEASE_MS)
  const payment = refund && (await findPayment(db, refund.paymentId))
  if (!refund || !payment) return null
  let sent: Awaited<ReturnType<typeof sendRefund>>
  try {
    // The provider repeats its answer to a key, failures too. A new key is safe once it says that it has no such refund.
    if (refund.attempts > 1) await syncRefunds(env, db, payment, now)
    const key = refund.attempts > 2 ? `${refund.id}/${refund.attempts}` : refund.id
    sent = await sendRefund(env, db, refund, payment, SYSTEM, key)
  } catch (error) {
    console.error(JSON.stringify({ provider: 'refund', refundId, cause: bareError(error).message }))
    sent = 'unknown'
  }
  if (sent === 'succeeded') return null
  const retrySeconds = RETRY_SECONDS[refund.attempts - 1]
  if (retrySeconds === undefined || (sent === 'refused' && !isOurDebt(refund))) {
    await moveRefund(db, refund, { status: 'failed', providerRefundId: null }, SYSTEM, now)
  } else {
    await putOff(db, refundId, now + retrySeconds * 1000)
  }
  return null
}

/** The service asked for it itself, so no caller would ask again. */
function isOurDebt({ reason }: RefundRow): boolean {
  return reason === PAID_TOO_LATE
}
