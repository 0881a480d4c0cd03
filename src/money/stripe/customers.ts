import type Stripe from 'stripe'
import { failureOf, type StripeClient } from './client.ts'
import { withSteadyKey } from './steady-key.ts'

/**
 * Makes a customer. The same `key` gives the same customer for at least 24 hours, so nothing else goes into
 * it; the checkout asks for the address. Throws `StripeError`. Source: Stripe API, "Create a customer".
 */
export async function createCustomer(
  stripe: StripeClient,
  organizationId: string,
  key: string,
  patience?: AbortSignal,
): Promise<string> {
  const params: Stripe.CustomerCreateParams = {
    description: `Organization ${organizationId}`,
    metadata: { organization_id: organizationId },
  }
  const { id } = await withSteadyKey(
    key,
    (idempotencyKey) => stripe.post<Stripe.Customer>(['customers'], params, { idempotencyKey }),
    patience,
  )
  return id
}

/** Whether the customer was not deleted. Source: Stripe API, "Retrieve a customer". */
export async function hasCustomer(stripe: StripeClient, customerId: string): Promise<boolean> {
  try {
    const customer = await stripe.get<Stripe.Customer | Stripe.DeletedCustomer>(['customers', customerId])
    return customer.deleted !== true
  } catch (error) {
    const { kind, code } = failureOf(error)
    if (code === 'resource_missing') return false
    // Any other refusal does not mean that it is gone: the next call for it will show.
    if (kind === 'refused') return true
    throw error
  }
}
