import type { Env } from '../../env.ts'
import { selectUnhandledBooking } from '../../outbox/events/statements.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { nowAsLive, type RealMs, realNow } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import { retryAt } from '../../platform/queue/retry-schedules.ts'
import { failureOf, stripeClient } from '../stripe/client.ts'
import { endIntent } from '../stripe/payment-intents.ts'
import { learnPayment } from './learn-payment.ts'
import { isPaid, isUndecided } from './money/money-of.ts'
import { nextLook } from './money/next-check.ts'
import { findLedger } from './money/queries.ts'
import { syncMoney } from './money/sync-money.ts'
import { openIntent } from './open-intent.ts'
import { lookAgainAt } from './process-payment.ts'
import { claimPayment, findPayment, isUnpaid, type PaymentRow, putOff } from './queries.ts'
import { askToConfirm } from './settle-booking.ts'

/**
 * Makes the provider agree with a payment that is due: an intent for one that can be paid, none for one
 * that was given up. Callers take turns, so the provider gets one question at a time.
 */
export async function settlePayment(env: Env, paymentId: string, now: RealMs): Promise<null> {
  const db = openDb(env, 'decide')
  const row = await claimPayment(db, paymentId, now)
  if (!row) return null
  let end: End = 'open'
  try {
    end = await settle(env, db, row, now)
  } catch (error) {
    console.error(JSON.stringify({ provider: 'payment', paymentId, cause: bareError(error).message }))
    // An account that may be reached no longer says so for ever.
    if (isPaid(row.status) && failureOf(error).kind === 'refused') end = 'paid'
  }
  await putOff(db, row, dueAfter(end, row, now))
  return null
}

/** `open` is asked about again soon, and in the end no more; `processing` as long as it takes; the others ever less often. */
type End = 'settled' | 'processing' | 'open' | 'paid' | 'undecided'

function dueAfter(end: End, { status, attempts }: PaymentRow, now: RealMs): number | null {
  if (end === 'settled') return null
  if (end === 'paid' || end === 'undecided') return nextLook(attempts, end === 'undecided', now)
  if (isPaid(status)) return nextLook(0, false, now)
  // Its booking waits for it, so it is never left alone.
  if (end === 'processing' || status === 'processing') return lookAgainAt(now)
  return retryAt('payment', attempts, now)
}

async function settle(env: Env, db: Db, row: PaymentRow, now: RealMs): Promise<End> {
  if (isUnpaid(row)) {
    if ((await openIntent(env, db, row)).kind === 'failed') return 'open'
    // The email that asks for the payment waits until the intent exists.
    const waiting = await selectUnhandledBooking(db, row.bookingId)
    await wakeQueue(env, ...waiting.map(({ id }) => ({ type: 'event', eventId: id }) as const))
    return 'settled'
  }
  if (row.status === 'cancelled') return endPayment(env, db, row)
  if (row.intentId === null) return 'settled'
  if (isPaid(row.status)) {
    await syncMoney(env, db, row.id, now)
    const disputes = (await findLedger(db, row.id))?.disputes ?? []
    return disputes.some(isUndecided) ? 'undecided' : 'paid'
  }
  await learnPayment(env, db, row, row.intentId, now)
  return (await findPayment(db, row.id))?.status === 'processing' ? 'processing' : 'settled'
}

/** Whether the intent of a payment that was given up can no longer be paid, or was paid and will be refunded. */
async function endPayment(env: Env, db: Db, row: PaymentRow): Promise<End> {
  const stripe = stripeClient(env, fetch)
  if (!stripe) return 'settled'
  let { intentId } = row
  if (intentId === null) {
    // Whether it was made is unknown: asking again with its key shows it, and a new one is cancelled at once.
    const opened = await openIntent(env, db, row)
    if (opened.kind === 'failed') return opened.failure === 'refused' ? 'settled' : 'open'
    intentId = opened.intentId
  }
  const end = await endIntent(stripe, row, intentId)
  if (end === 'succeeded') await askToConfirm(env, row, intentId, nowAsLive(realNow()))
  // A payment that is in progress may fail, and then be tried again.
  return end === 'processing' ? 'processing' : 'settled'
}
