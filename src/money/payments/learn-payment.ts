import type Stripe from 'stripe'
import type { Env } from '../../env.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { nowAsLive, type RealMs } from '../../platform/limits/clock.ts'
import { stripeClient } from '../stripe/client.ts'
import { getIntent } from '../stripe/payment-intents.ts'
import { failPayment } from './fail-payment.ts'
import { processPayment } from './process-payment.ts'
import { isUnpaid, type PaymentRow } from './queries.ts'
import { NOT_PAID_IN_TIME, PAYMENT_CANCELLED } from './reasons.ts'
import { askToConfirm, askToGiveUp } from './settle-booking.ts'

/** Asks the provider how far a payment is, and lets its booking follow. Throws `StripeError`. */
export async function learnPayment(
  env: Env,
  db: Db,
  row: PaymentRow,
  intentId: string,
  now: RealMs,
  patience?: AbortSignal,
): Promise<void> {
  const stripe = stripeClient(env, fetch, patience)
  if (stripe) await followIntent(env, db, row, await getIntent(stripe, row, intentId), now)
}

/** Lets a payment and its booking be what the intent says. What is known already changes nothing. */
async function followIntent(
  env: Env,
  db: Db,
  row: PaymentRow,
  { id: intentId, status, last_payment_error: error }: Stripe.PaymentIntent,
  now: RealMs,
): Promise<void> {
  switch (status) {
    case 'succeeded':
      return askToConfirm(env, row, intentId, nowAsLive(now))
    case 'canceled':
      return askToGiveUp(env, row, PAYMENT_CANCELLED, nowAsLive(now))
    case 'processing':
      return processPayment(env, db, row, { intentId, origin: SYSTEM, now: nowAsLive(now) })
    default: {
      if (row.status !== 'processing' && !(isUnpaid(row) && error)) return
      await failPayment(db, row, SYSTEM, now)
      // Nobody waits any longer for another attempt.
      if (row.expiresAt <= now) await askToGiveUp(env, row, NOT_PAID_IN_TIME, nowAsLive(now))
    }
  }
}
