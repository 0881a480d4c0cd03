import Stripe from 'stripe'

const cryptoProvider = Stripe.createSubtleCryptoProvider()
/** How old a signature may be. */
const TOLERANCE_SECONDS = 300

/**
 * The event in a webhook's raw body when `signature`, its `Stripe-Signature` header, was made in the last five
 * minutes with one of `secrets`; else null. They are comma separated: what connected accounts do is told
 * through an endpoint of its own, with a secret of its own.
 */
export async function readProviderEvent(
  body: string,
  signature: string,
  secrets: string,
): Promise<Stripe.Event | null> {
  for (const secret of secrets.split(',')) {
    const event = await Stripe.webhooks
      .constructEventAsync(body, signature, secret.trim(), TOLERANCE_SECONDS, cryptoProvider)
      .catch(() => null)
    if (event) return event
  }
  return null
}
