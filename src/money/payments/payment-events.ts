import type Stripe from 'stripe'
import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { nowAsLive, type RealMs } from '../../platform/limits/clock.ts'
import { type ProviderEventHandler, refuseMoving } from '../provider/provider-event.ts'
import { learnPayment } from './learn-payment.ts'
import { findPaymentOfIntent, type PaymentRow } from './queries.ts'
import { PAYMENT_CANCELLED } from './reasons.ts'
import { askToConfirm, askToGiveUp } from './settle-booking.ts'

/** Handles the provider's events about intents, in any order. A repeated event changes nothing. */
export const paymentEvents: ProviderEventHandler = {
  kinds: [
    'payment_intent.succeeded',
    'payment_intent.processing',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
  ],
  handle: async (env, event, now) => {
    switch (event.type) {
      case 'payment_intent.succeeded':
      case 'payment_intent.processing':
      case 'payment_intent.payment_failed':
      case 'payment_intent.canceled':
        await takeIn(env, event.type, event.data.object, event.account ?? null, now)
    }
  },
}

async function takeIn(
  env: Env,
  kind: string,
  intent: Stripe.PaymentIntent,
  accountId: string | null,
  now: RealMs,
): Promise<void> {
  const db = openDb(env, 'decide')
  const payment = await findPaymentOfIntent(db, intent.id, intent.metadata?.payment_id)
  // The platform and its accounts may take payments for other things than bookings.
  if (!payment || !isItsOwn(payment, intent, accountId)) return
  await refuseMoving(db, payment.organizationId)
  switch (kind) {
    case 'payment_intent.succeeded':
      return askToConfirm(env, payment, intent.id, nowAsLive(now))
    case 'payment_intent.canceled':
      return askToGiveUp(env, payment, PAYMENT_CANCELLED, nowAsLive(now))
    default:
      // Neither is an end, so another one may have come to pass since: only the provider knows.
      return learnPayment(env, db, payment, intent.id, now)
  }
}

/**
 * Whether the intent belongs to the payment: the account must match. When its id never reached us, its metadata names the
 * payment. An account can write anything into metadata, so the amount must match too, and the fee, which only the platform can
 * take.
 */
function isItsOwn(payment: PaymentRow, intent: Stripe.PaymentIntent, accountId: string | null): boolean {
  if (payment.providerAccountId !== accountId) return false
  if (payment.intentId !== null) return true
  const { amount, currency, application_fee_amount: fee } = intent
  return payment.amount === amount && payment.currency === currency && payment.platformFee === (fee ?? 0)
}
