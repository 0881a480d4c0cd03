import type Stripe from 'stripe'
import { SYSTEM } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { nowAsLive, type RealMs } from '../../limits/clock.ts'
import type { ProviderEventHandler } from '../payment-provider/provider-event.ts'
import { failPayment } from './fail-payment.ts'
import { findPaymentOfIntent } from './queries.ts'
import { PAYMENT_CANCELLED } from './reasons.ts'
import { askToConfirm, askToGiveUp } from './settle-booking.ts'

/** Handles the provider's events about intents. A repeated event changes nothing. */
export const paymentEvents: ProviderEventHandler = {
  kinds: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.canceled'],
  handle: async (env, event, now) => {
    switch (event.type) {
      case 'payment_intent.succeeded':
      case 'payment_intent.payment_failed':
      case 'payment_intent.canceled':
        await takeIn(env, event.type, event.data.object, event.account !== undefined, now)
    }
  },
}

async function takeIn(
  env: Env,
  kind: 'payment_intent.succeeded' | 'payment_intent.payment_failed' | 'payment_intent.canceled',
  intent: Stripe.PaymentIntent,
  isOfAccount: boolean,
  now: RealMs,
): Promise<void> {
  const db = openDb(env, 'decide')
  // A connected account can write anything into its metadata; the ids of intents come from the provider.
  const metadata = isOfAccount ? null : intent.metadata
  const payment = await findPaymentOfIntent(db, intent.id, metadata?.payment_id)
  // The platform may take payments for other things than bookings.
  if (!payment) return
  switch (kind) {
    case 'payment_intent.succeeded':
      return askToConfirm(env, payment, intent.id, nowAsLive(now))
    case 'payment_intent.payment_failed':
      return failPayment(db, payment, SYSTEM, now)
    case 'payment_intent.canceled':
      return askToGiveUp(env, payment, PAYMENT_CANCELLED, nowAsLive(now))
  }
}
