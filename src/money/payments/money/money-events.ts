import type Stripe from 'stripe'
import { openDb } from '../../../platform/db/client.ts'
import { type ProviderEventHandler, refuseMoving } from '../../provider/provider-event.ts'
import { findPaymentOfIntent } from '../queries.ts'
import { syncPayment } from './sync-payment.ts'

/** Handles the provider's events about refunds and disputes, in any order: each only says that something is new. */
export const moneyEvents: ProviderEventHandler = {
  kinds: [
    'charge.refunded',
    'charge.refund.updated',
    'refund.created',
    'refund.updated',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
  ],
  handle: async (env, event, now) => {
    const { payment_intent: intent } = event.data.object as Stripe.Charge | Stripe.Refund | Stripe.Dispute
    const intentId = typeof intent === 'string' ? intent : intent?.id
    if (!intentId) return
    const db = openDb(env, 'decide')
    const payment = await findPaymentOfIntent(db, intentId)
    // Where it was not made, nobody can refund or dispute it.
    if (payment?.providerAccountId !== (event.account ?? null)) return
    await refuseMoving(db, payment.organizationId)
    await syncPayment(env, db, payment.id, now)
  },
}
