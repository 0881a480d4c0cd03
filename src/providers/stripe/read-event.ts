import Stripe from 'stripe'

const cryptoProvider = Stripe.createSubtleCryptoProvider()
/** How old a signature may be. */
const TOLERANCE_SECONDS = 300

/**
 * The event in a webhook's raw body when `signature`, its `Stripe-Signature` header, was made with `secret` in
 * the last five minutes; else null.
 */
export async function readProviderEvent(
  body: string,
  signature: string,
  secret: string,
): Promise<Stripe.Event | null> {
  try {
    return await Stripe.webhooks.constructEventAsync(
      body,
      signature,
      secret,
      TOLERANCE_SECONDS,
      cryptoProvider,
    )
  } catch {
    return null
  }
}
