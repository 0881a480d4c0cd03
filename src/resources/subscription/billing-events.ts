import type { ProviderEventHandler } from '../payment-provider/provider-event.ts'
import { followCustomer } from './follow-billing.ts'

type About = { readonly customer?: string | { readonly id: string } | null }

/** The provider tells that something about a customer's subscriptions is new; what it is, it is asked. */
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
