import type Stripe from 'stripe'

/** How old a signature may be. */
const TOLERANCE_SECONDS = 300

/**
 * The event in a webhook's raw body, with its object, when `signature`, its `Stripe-Signature` header, was made with one of the
 * `secrets` in the last five minutes; else null. Each endpoint that is set up at the provider has its own.
 */
export async function readProviderEvent(
  body: string,
  signature: string,
  secrets: readonly string[],
): Promise<Stripe.Event | null> {
  const { createSubtleCryptoProvider, webhooks } = (await import('stripe')).default
  const cryptoProvider = createSubtleCryptoProvider()
  for (const secret of secrets) {
    try {
      const event = await webhooks.constructEventAsync(
        body,
        signature,
        secret,
        TOLERANCE_SECONDS,
        cryptoProvider,
      )
      return isWhole(event) ? event : null
    } catch {
      // Signed with another secret, or by somebody who knows none.
    }
  }
  return null
}

/** The version in which this service reads events; an endpoint at the provider has one of its own. */
export async function eventVersion(): Promise<string> {
  return (await import('stripe')).default.API_VERSION
}

/** A signature proves the sender, not that the object is there. */
function isWhole(event: { readonly data?: { readonly object?: unknown } | undefined }): boolean {
  return typeof event.data?.object === 'object' && event.data.object !== null
}
