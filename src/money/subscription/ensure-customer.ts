import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { retryWhenStale } from '../../platform/http/retry-when-stale.ts'
import { realNow } from '../../platform/limits/clock.ts'
import type { StripeClient } from '../stripe/client.ts'
import { createCustomer, hasCustomer } from '../stripe/customers.ts'
import { getBilling, putCustomer } from './queries.ts'

/**
 * The organization as a customer of the provider, made when it first buys something, and again
 * where the operator deleted it at the provider.
 */
export function ensureCustomer(
  ctx: Context<TenantCaller>,
  stripe: StripeClient,
  patience: AbortSignal,
): Promise<string> {
  const { organizationId } = ctx.caller
  return retryWhenStale(async () => {
    const db = openDb(ctx.env, 'decide')
    const { customerId: known } = await getBilling(db, organizationId)
    if (known !== null && (await hasCustomer(stripe, known))) return known
    const key = known === null ? `customer-${organizationId}` : `customer-${organizationId}/${known}`
    const customerId = await createCustomer(stripe, organizationId, key, patience)
    await commitBatch(db, [
      ...putCustomer(db, organizationId, known, customerId, realNow()),
      recordActivity(db, { organizationId, isTest: false }, originOf(ctx), {
        action: 'subscription.customer_created',
        resourceType: 'subscription',
        resourceId: organizationId,
        changes: { customer_id: [known, customerId] },
      }),
    ])
    return customerId
  })
}
