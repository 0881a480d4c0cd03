import type Stripe from 'stripe'
import { openDb } from '../../../db/client.ts'
import type { ProviderEventHandler } from '../../payment-provider/provider-event.ts'
import { findPaymentOfIntent } from './queries.ts'
import { syncRefunds } from './sync-refunds.ts'

/** What the provider tells of refunds, its own among them: it is asked what is true now, whatever came first. */
export const refundEvents: ProviderEventHandler = {
  kinds: ['charge.refunded', 'charge.refund.updated', 'refund.created', 'refund.updated', 'refund.failed'],
  handle: async (env, event, now) => {
    // What happens in a connected account is its own: intents of bookings are the platform's.
    if (event.account) return
    const { payment_intent: intent } = event.data.object as Stripe.Charge | Stripe.Refund
    const intentId = typeof intent === 'string' ? intent : intent?.id
    if (!intentId) return
    const db = openDb(env, 'decide')
    const payment = await findPaymentOfIntent(db, intentId)
    if (payment) await syncRefunds(env, db, payment, now)
  },
}
