import type { Env } from '../../env.ts'
import { notifyOperator } from '../../outbox/mail/operator-notices/notify-operator.ts'
import { openDb } from '../../platform/db/client.ts'
import { refuse } from '../../platform/http/errors.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { isProviderError, patienceOfCaller, type StripeClient, stripeClient } from '../stripe/client.ts'
import { needsOperator } from '../stripe/platform-refusal.ts'

/**
 * Does something at the payment provider while a caller waits; its failure becomes the answer, its words stay in the log.
 * However it hangs, it is waited for within `patience`. The operator is notified of a failure that only they can end.
 */
export async function askProvider<T>(
  env: Env,
  organizationId: string,
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
    if (needsOperator(error)) {
      const fault = { subject: 'stripe', fault: error.message } as const
      await notifyOperator(env, openDb(env, 'decide'), { organizationId }, fault, realNow())
      throw refuse('payment_provider_misconfigured')
    }
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
