import type Stripe from 'stripe'
import { MINUTE_MS, SECOND_MS } from '../../core/time-units.ts'
import { hmacKey, isHmacOf } from '../../platform/transport/hmac.ts'

/** How old a signature may be. */
const TOLERANCE_MS = 5 * MINUTE_MS
/** Limit of signatures that are verified: verifying each one reads the whole body, and anyone can send one. */
const MOST_SIGNATURES = 4

/**
 * The event in a webhook's raw body, with its object, when `signature`, its `Stripe-Signature` header, was made with one of
 * the `secrets` in the last five minutes; else null. Each endpoint that is set up at the provider has its own.
 * Source: https://docs.stripe.com/webhooks/signature
 */
export async function readProviderEvent(
  body: string,
  signature: string,
  secrets: readonly string[],
  now: number,
): Promise<Stripe.Event | null> {
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

/** A signature proves the sender, not that the object is there. */
function eventIn(body: string): Stripe.Event | null {
  try {
    const event = JSON.parse(body)
    const object = event?.data?.object
    return typeof object === 'object' && object !== null ? event : null
  } catch {
    return null
  }
}
