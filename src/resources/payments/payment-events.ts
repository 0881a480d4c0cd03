import type Stripe from 'stripe'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { eventTypeObject } from '../bookings/event-type-object.ts'
import type { ProviderEventHandler } from '../provider-events/provider-event.ts'
import { SYSTEM } from '../waitlist/expire-entries.ts'
import { failPayment } from './fail-payment.ts'
import { PAYMENT_CANCELLED } from './reasons.ts'
import { findPaymentOfIntent } from './store.ts'

/** What the provider tells of intents. What it was told once changes nothing the next time. */
export const paymentEvents: ProviderEventHandler = {
  kinds: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.canceled'],
  handle: async (env, event, now) => {
    // What happens in a connected account is its own: intents of bookings are the platform's.
    if (event.account) return
    switch (event.type) {
      case 'payment_intent.succeeded':
      case 'payment_intent.payment_failed':
      case 'payment_intent.canceled':
        await takeIn(env, event.type, event.data.object, now)
    }
  },
}

async function takeIn(
  env: Env,
  kind: 'payment_intent.succeeded' | 'payment_intent.payment_failed' | 'payment_intent.canceled',
  intent: Stripe.PaymentIntent,
  now: number,
): Promise<void> {
  const db = openDb(env, 'decide')
  const payment = await findPaymentOfIntent(db, intent.id, intent.metadata?.payment_id)
  // The platform may take payments for other things than bookings.
  if (!payment) return
  const { id: paymentId, bookingId, eventTypeId } = payment
  const object = eventTypeObject(env, eventTypeId)
  switch (kind) {
    case 'payment_intent.succeeded': {
      const command = { eventTypeId, bookingId, paymentId, intentId: intent.id, origin: SYSTEM, now }
      return object.confirmBooking(command)
    }
    case 'payment_intent.payment_failed':
      return failPayment(db, payment, SYSTEM, now)
    case 'payment_intent.canceled':
      await object.cancelBooking({
        origin: SYSTEM,
        claim: null,
        now,
        eventTypeId,
        bookingId,
        reason: PAYMENT_CANCELLED,
        isOnlyIfUnpaid: true,
      })
  }
}
