import type { ProviderEventHandler } from '../provider-events/provider-event.ts'
import { followCustomer } from './follow-billing.ts'

/** The provider tells that something about a customer's subscriptions is new; what it is, it is asked. */
export const billingEvents: ProviderEventHandler = {
  kinds: [
    'checkout.session.completed',
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'customer.subscription.paused',
    'customer.subscription.resumed',
    'invoice.paid',
    'invoice.payment_failed',
  ],
  handle: async (env, event) => {
    const { customer } = event.data.object as { customer?: string | { id: string } | null }
    const customerId = typeof customer === 'object' ? customer?.id : customer
    if (customerId) await followCustomer(env, customerId)
  },
}
