import type Stripe from 'stripe'

export type StripeSettings = {
  readonly STRIPE_SECRET_KEY?: string
  /** Such as `http://127.0.0.1:4000/stripe/demo`; by default the real API. */
  readonly STRIPE_API_BASE?: string
}

/** One attempt; with its one repetition a call takes at most about 13 seconds. */
const TIMEOUT_MS = 6_000
const MAX_RETRIES = 1

/** An attempt while somebody waits, and all calls for one answer together: it is given within eight seconds. */
const HASTY_TIMEOUT_MS = 4_000
const PATIENCE_MS = 6_000

/** How long whoever waits for an answer waits for the provider, whatever it is asked for it. Begins at once. */
export function patienceOfCaller(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS)
}

/** Known as soon as there is a client, and nothing else throws it. */
let StripeError: typeof Stripe.errors.StripeError | null = null

/**
 * The provider's own client, through `fetcher`; null where no key is configured. Its calls throw `StripeError`s, all of
 * them once `patience` is lost; what the provider does with a call that was under way is then unknown.
 * The SDK is the largest thing in the bundle, and few requests are about money: the first of them evaluates it.
 */
export async function stripeClient(
  settings: StripeSettings,
  fetcher: typeof fetch,
  patience?: AbortSignal,
): Promise<Stripe | null> {
  const { STRIPE_SECRET_KEY, STRIPE_API_BASE } = settings
  if (!STRIPE_SECRET_KEY) return null
  const { default: Stripe } = await import('stripe')
  StripeError = Stripe.errors.StripeError
  return new Stripe(STRIPE_SECRET_KEY, {
    httpClient: Stripe.createFetchHttpClient(below(STRIPE_API_BASE, until(patience, fetcher))),
    timeout: patience ? HASTY_TIMEOUT_MS : TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    ...(STRIPE_API_BASE && baseOf(STRIPE_API_BASE)),
  })
}

function until(patience: AbortSignal | undefined, fetcher: typeof fetch): typeof fetch {
  if (!patience) return fetcher
  return (input, init) => {
    const signal = AbortSignal.any([patience, ...(init?.signal ? [init.signal] : [])])
    return fetcher(input, { ...init, signal })
  }
}

/** The SDK takes a host, but no path. */
function below(url: string | undefined, fetcher: typeof fetch): typeof fetch {
  const path = url ? new URL(url).pathname.replace(/\/$/, '') : ''
  if (path === '') return fetcher
  return (input, init) => {
    const wanted = new URL(input instanceof Request ? input.url : input)
    wanted.pathname = path + wanted.pathname
    return fetcher(wanted.href, init)
  }
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
 * that says it could not do it; `unknown` is no answer at all, or that an earlier call with the same key still runs, so it
 * may have happened, or may yet.
 */
export type ProviderFailure = {
  readonly kind: 'refused' | 'failed' | 'unknown'
  /** The provider's code for the reason, such as `resource_missing`; null where it gave none. */
  readonly code: string | null
}

export function failureOf(error: unknown): ProviderFailure {
  if (!isProviderError(error)) return { kind: 'unknown', code: null }
  const { statusCode, code = null } = error
  if (statusCode === undefined || statusCode === 409) return { kind: 'unknown', code }
  const isFinal = statusCode < 500 && statusCode !== 429
  return { kind: isFinal ? 'refused' : 'failed', code }
}

/** Whether it is an error that a call to the provider throws. */
export function isProviderError(error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> {
  return StripeError !== null && error instanceof StripeError
}
