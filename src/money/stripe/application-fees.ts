import type Stripe from 'stripe'
import { failureOf, type StripeClient } from './client.ts'

/**
 * How much of the platform's fee for a charge was refunded, in the currency's smallest unit. The fee is held by the platform
 * even if the charge is not. Null when the provider does not say. Throws `StripeError` when it does not answer.
 * Source: Stripe API, "List all application fees"
 */
export async function refundedFeeOf(stripe: StripeClient, chargeId: string): Promise<number | null> {
  try {
    const params: Stripe.ApplicationFeeListParams = { charge: chargeId, limit: 1 }
    const { data } = await stripe.get<Stripe.ApiList<Stripe.ApplicationFee>>(['application_fees'], params)
    return data[0]?.amount_refunded ?? null
  } catch (error) {
    if (failureOf(error).kind === 'refused') return null
    throw error
  }
}
