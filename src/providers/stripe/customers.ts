import type Stripe from 'stripe'
import { failureOf } from './client.ts'
import { withSteadyKey } from './steady-key.ts'

/**
 * Makes a customer. The same `key` gives the same customer for at least 24 hours, so nothing else goes into
 * it; the checkout asks for the address. Throws the SDK's errors. Source: Stripe API, "Create a customer".
 */
export async function createCustomer(
  stripe: Stripe,
  organizationId: string,
  key: string,
  patience?: AbortSignal,
): Promise<string> {
  const params = {
    description: `Organization ${organizationId}`,
    metadata: { organization_id: organizationId },
  }
  const { id } = await withSteadyKey(
    key,
    (idempotencyKey) => stripe.customers.create(params, { idempotencyKey }),
    patience,
  )
  return id
}

/** Whether the customer was not deleted. Source: Stripe API, "Retrieve a customer". */
export async function hasCustomer(stripe: Stripe, customerId: string): Promise<boolean> {
  try {
    return (await stripe.customers.retrieve(customerId)).deleted !== true
  } catch (error) {
    const { kind, code } = failureOf(error)
    if (code === 'resource_missing') return false
    // Any other refusal does not mean that it is gone: the next call for it will show.
    if (kind === 'refused') return true
    throw error
  }
}
