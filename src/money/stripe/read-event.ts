import type Stripe from 'stripe'
import { MINUTE_MS, SECOND_MS } from '../../core/time-units.ts'
import { hmacKey, isHmacOf } from '../../platform/transport/hmac.ts'

/**
 * An event that says what is new, and where: in which account, which object at which path of the API. It has no version.
 * Source: https://docs.stripe.com/api/v2/core/events/object; https://docs.stripe.com/events/how-events-work, read 2026-11
 */
export type ThinEvent = {
  readonly type: string
  /** The account; nested ones are separated by slashes. */
  readonly context?: string | null
  readonly related_object?: { readonly id: string; readonly type: string; readonly url?: string } | null
}

/** Which of the two kinds an endpoint gets is its payload style. */
export type ProviderEvent =
  | { readonly snapshot: Stripe.Event; readonly thin?: undefined }
  | { readonly thin: ThinEvent; readonly snapshot?: undefined }

/** How old a signature may be. */
const TOLERANCE_MS = 5 * MINUTE_MS
/** Limit of signatures that are verified: verifying each one reads the whole body, and anyone can send one. */
const MOST_SIGNATURES = 4

/**
 * The event in a webhook's raw body when `signature`, its `Stripe-Signature` header, was made with one of
 * the `secrets` in the last five minutes; else null. Each endpoint that is set up at the provider has its own.
 * Source: https://docs.stripe.com/webhooks/signature
 */
export async function readProviderEvent(
  body: string,
  signature: string,
  secrets: readonly string[],
  now: number,
): Promise<ProviderEvent | null> {
  const parts = signature.split(',').map((part) => part.split('='))
  const valuesOf = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []))
  const timestamp = valuesOf('t').at(-1) ?? ''
  if (!/^\d+$/.test(timestamp) || now - Number(timestamp) * SECOND_MS > TOLERANCE_MS) return null
  // While a secret is replaced, there is a signature with each.
  const given = valuesOf('v1')
    .filter((hex) => /^[\da-f]{64}$/.test(hex))
    .slice(0, MOST_SIGNATURES)
  for (const secret of secrets) {
    const key = await hmacKey(secret)
    for (const hex of given) {
      if (await isHmacOf(key, `${timestamp}.${body}`, hex)) return eventIn(body)
    }
  }
  return null
}

/** A signature proves the sender, not that anything is there. */
function eventIn(body: string): ProviderEvent | null {
  try {
    const event = JSON.parse(body)
    if (event?.object === 'v2.core.event') return typeof event.type === 'string' ? { thin: event } : null
    const object = event?.data?.object
    return typeof object === 'object' && object !== null ? { snapshot: event } : null
  } catch {
    return null
  }
}
