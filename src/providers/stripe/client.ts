import type Stripe from 'stripe'

export type StripeSettings = {
  readonly STRIPE_SECRET_KEY?: string
  /** Such as `http://127.0.0.1:4000`; by default the real API. */
  readonly STRIPE_API_BASE?: string
}

/** One attempt; with its one repetition a call takes at most about 13 seconds. */
const TIMEOUT_MS = 6_000
const MAX_RETRIES = 1

/** Known as soon as there is a client, and nothing else throws it. */
let StripeError: typeof Stripe.errors.StripeError | null = null

/**
 * The provider's own client, through `fetcher`; null where no key is configured. Its calls throw `StripeError`s.
 * The SDK is the largest thing in the bundle, and few requests are about money: the first of them evaluates it.
 */
export async function stripeClient(settings: StripeSettings, fetcher: typeof fetch): Promise<Stripe | null> {
  const { STRIPE_SECRET_KEY, STRIPE_API_BASE } = settings
  if (!STRIPE_SECRET_KEY) return null
  const { default: Stripe } = await import('stripe')
  StripeError = Stripe.errors.StripeError
  return new Stripe(STRIPE_SECRET_KEY, {
    httpClient: Stripe.createFetchHttpClient(fetcher),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    ...(STRIPE_API_BASE && baseOf(STRIPE_API_BASE)),
  })
}

function baseOf(url: string) {
  const { protocol, hostname, port } = new URL(url)
  const isPlain = protocol === 'http:'
  return {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? ('http' as const) : ('https' as const),
  }
}

/**
 * The kinds of a failed call: `refused` is the provider's final no, and nothing happened; `failed` is an answer
 * that says it could not do it; `unknown` is no answer at all, so it may have happened.
 */
export type ProviderFailure = {
  readonly kind: 'refused' | 'failed' | 'unknown'
  /** The provider's code for the reason, such as `resource_missing`; null where it gave none. */
  readonly code: string | null
}

export function failureOf(error: unknown): ProviderFailure {
  if (!isProviderError(error)) return { kind: 'unknown', code: null }
  const { statusCode, code = null } = error
  if (statusCode === undefined) return { kind: 'unknown', code }
  const isFinal = statusCode < 500 && statusCode !== 409 && statusCode !== 429
  return { kind: isFinal ? 'refused' : 'failed', code }
}

/** Whether it is an error that a call to the provider throws. */
export function isProviderError(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  return StripeError !== null && error instanceof StripeError
}
