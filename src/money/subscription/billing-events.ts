import type { ProviderEventHandler } from '../provider/provider-event.ts'
import { followCustomer } from './follow-billing.ts'

type About = { readonly customer?: string | { readonly id: string } | null }

/** An event says that a customer's subscriptions changed; the provider is asked how. */
export const billingEvents: ProviderEventHandler = {
  kinds: [
    'checkout.session.completed',
    'customer.deleted',
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'customer.subscription.paused',
    'customer.subscription.resumed',
    'invoice.paid',
    'invoice.payment_failed',
  ],
  handle: async (env, event) => {
    const { object } = event.data
    const { customer } = (object.object === 'customer' ? { customer: object.id } : object) as About
    const customerId = typeof customer === 'object' ? customer?.id : customer
    if (customerId) await followCustomer(env, customerId)
  },
}
