import type { Env } from '../../env.ts'
import { refuse } from '../../platform/http/errors.ts'
import { isProviderError, patienceOfCaller, type StripeClient, stripeClient } from '../stripe/client.ts'

/**
 * Does something at the payment provider while a caller waits; its failure becomes the answer, its words stay in the log.
 * However it hangs, it is waited for within `patience`.
 */
export async function askProvider<T>(
  env: Env,
  unconfigured: 'payments_not_configured' | 'billing_not_configured',
  ask: (stripe: StripeClient, patience: AbortSignal) => Promise<T>,
): Promise<T> {
  const patience = patienceOfCaller()
  const stripe = stripeClient(env, fetch, patience)
  if (!stripe) throw refuse(unconfigured)
  try {
    return await ask(stripe, patience)
  } catch (error) {
    if (!isProviderError(error)) throw error
    console.error(
      JSON.stringify({
        provider: 'stripe',
        type: error.type,
        code: error.code ?? null,
        cause: error.message,
      }),
    )
    throw refuse('payment_provider_failed')
  }
}
