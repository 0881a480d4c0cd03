import type Stripe from 'stripe'
import { failureOf, type StripeClient } from './client.ts'

/**
 * What went back of the platform's fee for a charge, in the smallest unit of the currency. Wherever the charge is, the fee
 * is with the platform. Null where the provider does not tell. Throws `StripeError` when it does not answer.
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
