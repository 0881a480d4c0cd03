import { bareError } from '../../db/bare-error.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { nowAsLive, type RealMs, realNow } from '../../limits/clock.ts'
import { stripeClient } from '../../providers/stripe/client.ts'
import { endIntent } from '../../providers/stripe/payment-intents.ts'
import { retryAt } from '../../queue/retry-schedules.ts'
import { openIntent } from './open-intent.ts'
import { claimPayment, isUnpaid, type PaymentRow, putOff } from './queries.ts'
import { askToConfirm } from './settle-booking.ts'

/**
 * Makes the provider agree with a payment that is due: an intent for one that can be paid, none for one
 * that was given up. Callers take turns, so the provider gets one question at a time.
 */
export async function settlePayment(env: Env, paymentId: string, now: RealMs): Promise<null> {
  const db = openDb(env, 'decide')
  const row = await claimPayment(db, paymentId, now)
  if (!row) return null
  let isSettled = false
  try {
    isSettled = isUnpaid(row)
      ? (await openIntent(env, db, row)).kind === 'opened'
      : row.status !== 'cancelled' || (await endPayment(env, db, row))
  } catch (error) {
    console.error(JSON.stringify({ provider: 'payment', paymentId, cause: bareError(error).message }))
  }
  // After the last attempt the provider is left alone.
  await putOff(db, row, isSettled ? null : retryAt('payment', row.attempts, now))
  return null
}

/** Whether the intent of a payment that was given up can no longer be paid, or was paid and will be refunded. */
async function endPayment(env: Env, db: ReturnType<typeof openDb>, row: PaymentRow): Promise<boolean> {
  const stripe = await stripeClient(env, fetch)
  if (!stripe) return true
  let { intentId } = row
  if (intentId === null) {
    // Whether it was made is unknown: asking again with its key shows it, and a new one is cancelled at once.
    const opened = await openIntent(env, db, row)
    if (opened.kind === 'failed') return opened.failure === 'refused'
    intentId = opened.intentId
  }
  const end = await endIntent(stripe, intentId)
  if (end === 'succeeded') await askToConfirm(env, row, intentId, nowAsLive(realNow()))
  // A payment that is in progress may fail, and then be tried again.
  return end !== 'processing'
}
