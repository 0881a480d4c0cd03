import { createCustomer, createPrice, createProduct, deleteCustomer } from './answer-catalog.ts'
import { createPortal, createSession, expireSession } from './answer-sessions.ts'
import {
  cancelSubscription,
  createSubscription,
  releaseSchedule,
  updateSubscription,
} from './answer-subscriptions.ts'
import { type Endpoint, endpoint, readable } from './endpoints.ts'
import { turnPage } from './find-objects.ts'

/** What a business with subscriptions asks of it. */
export const BILLING_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST /v1/products', 'Products', 'ProductCreateParams', createProduct),
  ...readable('products', 'product', 'Products', 'Product', ['active']),
  endpoint('POST /v1/prices', 'Prices', 'PriceCreateParams', createPrice),
  ...readable('prices', 'price', 'Prices', 'Price', ['active', 'currency', 'product', 'type']).slice(0, 1),
  endpoint('GET /v1/prices', 'Prices', 'PriceListParams', (caller, parameters) =>
    turnPage(
      caller,
      'price',
      '/v1/prices',
      parameters,
      (one) =>
        ['active', 'currency', 'product', 'type'].every(
          (name) => parameters[name] === undefined || one[name] === parameters[name],
        ) && (parameters.lookup_keys ?? [one.lookup_key]).includes(one.lookup_key),
    ),
  ),
  endpoint('POST /v1/customers', 'Customers', 'CustomerCreateParams', createCustomer),
  endpoint('DELETE /v1/customers/{id}', 'Customers', 'CustomerDeleteParams', (caller, _, id) =>
    deleteCustomer(caller, id),
  ),
  ...readable('customers', 'customer', 'Customers', 'Customer', ['email']),
  endpoint('POST /v1/subscriptions', 'Subscriptions', 'SubscriptionCreateParams', createSubscription),
  endpoint(
    'POST /v1/subscriptions/{id}',
    'Subscriptions',
    'SubscriptionUpdateParams',
    (caller, parameters, id) => updateSubscription(caller, id, parameters),
  ),
  endpoint('DELETE /v1/subscriptions/{id}', 'Subscriptions', 'SubscriptionCancelParams', (caller, _, id) =>
    cancelSubscription(caller, id),
  ),
  readable('subscriptions', 'subscription', 'Subscriptions', 'Subscription')[0]!,
  endpoint('GET /v1/subscriptions', 'Subscriptions', 'SubscriptionListParams', (caller, parameters) =>
    turnPage(caller, 'subscription', '/v1/subscriptions', parameters, (one) => {
      const { customer, status, price } = parameters
      const isAsked = status === 'all' || (status ? one.status === status : one.status !== 'canceled')
      const has = one.items.data.some((item: { price: { id: string } }) => !price || item.price.id === price)
      return isAsked && has && (!customer || one.customer === customer)
    }),
  ),
  endpoint(
    'POST /v1/subscription_schedules/{id}/release',
    'SubscriptionSchedules',
    'SubscriptionScheduleReleaseParams',
    (caller, _, id) => releaseSchedule(caller, id),
  ),
  ...readable('invoices', 'invoice', 'Invoices', 'Invoice', ['customer', 'status']),
  endpoint('POST /v1/checkout/sessions', 'Checkout/Sessions', 'SessionCreateParams', createSession),
  ...readable('checkout/sessions', 'checkout.session', 'Checkout/Sessions', 'Session', [
    'customer',
    'subscription',
    'status',
  ]),
  endpoint(
    'POST /v1/checkout/sessions/{id}/expire',
    'Checkout/Sessions',
    'SessionExpireParams',
    (caller, _, id) => expireSession(caller, id),
  ),
  endpoint('POST /v1/billing_portal/sessions', 'BillingPortal/Sessions', 'SessionCreateParams', createPortal),
]
