import type Stripe from 'stripe'
import { failureOf, isProviderError, type StripeClient } from './client.ts'
import type { CallOptions } from './send-call.ts'

/** The account that is paid, which has the intent (https://docs.stripe.com/connect/direct-charges). */
export type Scope = { readonly providerAccountId: string | null }

export function inAccount({ providerAccountId }: Scope): CallOptions {
  return providerAccountId === null ? {} : { account: providerAccountId }
}

/**
 * Cards, with Apple Pay and Google Pay, and wallets: whether there is money shows within seconds. Those that the account
 * does not have, or not for the currency, are left out by the provider.
 * Source: https://docs.stripe.com/payments/payment-methods/payment-method-support
 */
const IMMEDIATE = [
  'card',
  'kr_card',
  'link',
  'alipay',
  'amazon_pay',
  'cashapp',
  'grabpay',
  'kakao_pay',
  'mobilepay',
  'naver_pay',
  'payco',
  'paypal',
  'revolut_pay',
  'samsung_pay',
  'satispay',
  'twint',
  'wechat_pay',
] satisfies Stripe.PaymentIntentCreateParams.AllowedPaymentMethodType[]

/** What people take to a shop or their bank: until they have, nothing is under way that could keep a time. */
const VOUCHERS = [
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'oxxo',
] satisfies Stripe.PaymentIntentCreateParams.ExcludedPaymentMethodType[]

type NewIntent = Scope & {
  /** In the smallest unit of the currency, like the fee. */
  readonly amount: number
  readonly currency: string
  readonly fee: number
  /** Whether it may take days until it is known whether there is money. */
  readonly delayedMethods: boolean
  readonly metadata: Readonly<Record<string, string>>
}

/** The same key never makes a second intent. Throws `StripeError`. Source: Stripe API, "Create a PaymentIntent". */
export function createIntent(
  stripe: StripeClient,
  intent: NewIntent,
  idempotencyKey: string,
): Promise<Stripe.PaymentIntent> {
  const { amount, currency, fee, metadata } = intent
  const params: Stripe.PaymentIntentCreateParams = {
    amount,
    currency,
    // The provider takes no fee of nothing.
    ...(fee > 0 && { application_fee_amount: fee }),
    ...methodsOf(intent),
    metadata,
  }
  return stripe.post(['payment_intents'], params, { idempotencyKey, ...inAccount(intent) })
}

function methodsOf({ delayedMethods }: NewIntent): Partial<Stripe.PaymentIntentCreateParams> {
  return delayedMethods
    ? { automatic_payment_methods: { enabled: true }, excluded_payment_method_types: VOUCHERS }
    : { allowed_payment_method_types: IMMEDIATE }
}

/** Throws `StripeError`. Source: Stripe API, "Retrieve a PaymentIntent". */
export function getIntent(
  stripe: StripeClient,
  place: Scope,
  intentId: string,
  hurry: CallOptions = {},
): Promise<Stripe.PaymentIntent> {
  return stripe.get(['payment_intents', intentId], {}, { ...inAccount(place), ...hurry })
}

const ENDS = ['canceled', 'succeeded', 'processing'] as const

/**
 * Makes sure that an intent can no longer be paid; one that was paid already is answered with `succeeded`, one
 * that is being paid with `processing`. Throws `StripeError` when that is not known.
 */
export async function endIntent(
  stripe: StripeClient,
  place: Scope,
  intentId: string,
): Promise<(typeof ENDS)[number]> {
  try {
    await stripe.post(['payment_intents', intentId, 'cancel'], {}, inAccount(place))
    return 'canceled'
  } catch (error) {
    const { kind, code } = failureOf(error)
    if (code === 'resource_missing') return 'canceled'
    if (kind !== 'refused') throw error
    const { status } = await getIntent(stripe, place, intentId)
    const end = ENDS.find((one) => one === status)
    if (!end) throw error
    return end
  }
}

/** Sends money back from the account that was paid, with the fee's share. Throws `StripeError`. */
export function createRefund(
  stripe: StripeClient,
  refund: Scope & {
    readonly intentId: string
    readonly amount: number
    /** What the platform took of the payment. */
    readonly fee: number
    readonly metadata: Readonly<Record<string, string>>
  },
  idempotencyKey: string,
): Promise<Stripe.Refund> {
  const { intentId, amount, fee, metadata } = refund
  const params: Stripe.RefundCreateParams = {
    payment_intent: intentId,
    amount,
    ...(fee > 0 && { refund_application_fee: true }),
    metadata,
  }
  return stripe.post(['refunds'], params, { idempotencyKey, ...inAccount(refund) })
}

/** The newest hundred refunds of an intent; none of one that does not exist. Throws `StripeError`. */
export async function listRefunds(
  stripe: StripeClient,
  place: Scope,
  intentId: string,
): Promise<readonly Stripe.Refund[]> {
  try {
    const params: Stripe.RefundListParams = { payment_intent: intentId, limit: 100 }
    return (await stripe.get<Stripe.ApiList<Stripe.Refund>>(['refunds'], params, inAccount(place))).data
  } catch (error) {
    if (isProviderError(error) && error.statusCode === 404) return []
    throw error
  }
}

/** Whether a refund takes place: `pending` ones do unless the provider says otherwise later. */
export function isUnderWay({ status }: Stripe.Refund): boolean {
  return status !== 'failed' && status !== 'canceled'
}
