import type Stripe from 'stripe'
import { openDb } from '../../../db/client.ts'
import type { ProviderEventHandler } from '../../payment-provider/provider-event.ts'
import { findPaymentOfIntent } from '../queries.ts'
import { syncRefunds } from './sync-refunds.ts'

/** Handles the provider's events about refunds, its own included: asks what is true now, in any order of events. */
export const refundEvents: ProviderEventHandler = {
  kinds: ['charge.refunded', 'charge.refund.updated', 'refund.created', 'refund.updated', 'refund.failed'],
  handle: async (env, event, now) => {
    const { payment_intent: intent } = event.data.object as Stripe.Charge | Stripe.Refund
    const intentId = typeof intent === 'string' ? intent : intent?.id
    if (!intentId) return
    const db = openDb(env, 'decide')
    const payment = await findPaymentOfIntent(db, intentId)
    // Where it was not made nobody can refund it.
    if (payment?.providerAccountId === (event.account ?? null)) await syncRefunds(env, db, payment, now)
  },
}
