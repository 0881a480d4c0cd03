import type Stripe from 'stripe'
import { failureOf, isProviderError } from './client.ts'

export type NewIntent = {
  /** In the smallest unit of the currency, like the fee. */
  readonly amount: number
  readonly currency: string
  readonly fee: number
  /** The connected account that is paid. */
  readonly accountId: string
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * A destination charge (https://docs.stripe.com/connect/destination-charges): the intent lives with the platform,
 * the connected account is paid and settles, the fee stays. The same key never makes a second intent. Throws `StripeError`.
 */
export function createIntent(
  stripe: Stripe,
  { amount, currency, fee, accountId, metadata }: NewIntent,
  idempotencyKey: string,
): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create(
    {
      amount,
      currency,
      application_fee_amount: fee,
      on_behalf_of: accountId,
      transfer_data: { destination: accountId },
      automatic_payment_methods: { enabled: true },
      metadata,
    },
    { idempotencyKey },
  )
}

const ENDS = ['canceled', 'succeeded', 'processing'] as const

/**
 * Makes sure that an intent can no longer be paid; one that was paid already is answered with `succeeded`, one
 * that is being paid with `processing`. Throws `StripeError` when that is not known.
 */
export async function endIntent(stripe: Stripe, intentId: string): Promise<(typeof ENDS)[number]> {
  try {
    await stripe.paymentIntents.cancel(intentId)
    return 'canceled'
  } catch (error) {
    const { kind, code } = failureOf(error)
    if (code === 'resource_missing') return 'canceled'
    if (kind !== 'refused') throw error
    const { status } = await stripe.paymentIntents.retrieve(intentId)
    const end = ENDS.find((one) => one === status)
    if (!end) throw error
    return end
  }
}

/** Sends money back from the connected account, with the fee's share. Throws `StripeError`. */
export function createRefund(
  stripe: Stripe,
  refund: {
    readonly intentId: string
    readonly amount: number
    readonly metadata: Readonly<Record<string, string>>
  },
  idempotencyKey: string,
): Promise<Stripe.Refund> {
  const { intentId, amount, metadata } = refund
  return stripe.refunds.create(
    { payment_intent: intentId, amount, reverse_transfer: true, refund_application_fee: true, metadata },
    { idempotencyKey },
  )
}

/** The newest hundred refunds of an intent; none of one that does not exist. Throws `StripeError`. */
export async function listRefunds(stripe: Stripe, intentId: string): Promise<readonly Stripe.Refund[]> {
  try {
    return (await stripe.refunds.list({ payment_intent: intentId, limit: 100 })).data
  } catch (error) {
    if (isProviderError(error) && error.statusCode === 404) return []
    throw error
  }
}

/** Whether a refund takes place: `pending` ones do unless the provider says otherwise later. */
export function isUnderWay({ status }: Stripe.Refund): boolean {
  return status !== 'failed' && status !== 'canceled'
}
