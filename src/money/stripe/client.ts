import { type CallOptions, StripeError, sendCall } from './send-call.ts'

type StripeSettings = {
  readonly STRIPE_SECRET_KEY?: string
  /** Such as `http://127.0.0.1:4000/stripe/demo`; by default the real API. */
  readonly STRIPE_API_BASE?: string
}

const API_BASE = 'https://api.stripe.com'

/** One attempt; with its one repetition a call takes at most about 15 seconds. */
const TIMEOUT_MS = 7_000

/** An attempt while somebody waits, and all calls for one answer together: it is given within eight seconds. */
const HASTY_TIMEOUT_MS = 4_000
const PATIENCE_MS = 6_000

/** How long a caller waits for the provider, over all requests. Starts at once. */
export function patienceOfCaller(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS)
}

/** The provider's API. What is undefined in `values` is not sent. All of it throws `StripeError`. */
export type StripeClient = {
  /** A path is given in its parts, such as `['refunds', refundId]`. */
  readonly get: <T>(path: readonly string[], values?: object, options?: CallOptions) => Promise<T>
  /** Without an `idempotencyKey`, it has one of its own. */
  readonly post: <T>(path: readonly string[], values?: object, options?: CallOptions) => Promise<T>
}

/**
 * The provider through `fetcher`; null where no key is configured. All calls fail once `patience` is lost; what the provider
 * does with one that was under way is then unknown.
 */
export function stripeClient(
  { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE }: StripeSettings,
  fetcher: typeof fetch,
  patience?: AbortSignal,
): StripeClient | null {
  if (!secretKey) return null
  const base = (STRIPE_API_BASE || API_BASE).replace(/\/$/, '')
  const line = { secretKey, base, fetcher, timeoutMs: patience ? HASTY_TIMEOUT_MS : TIMEOUT_MS, patience }
  return {
    get: (path, values = {}, options) => sendCall(line, { ...options, method: 'GET', path, values }),
    post: (path, values = {}, options) => sendCall(line, { ...options, method: 'POST', path, values }),
  }
}

/**
 * Kinds of failed calls. `refused`: the provider's final no; nothing happened. `failed`: an answer that it could not do it.
 * `unknown`: no answer, or an earlier call with the same key is still running, so it may have happened or may yet happen.
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
export function isProviderError(error: unknown): error is StripeError {
  return error instanceof StripeError
}
