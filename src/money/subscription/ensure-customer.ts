import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { runChange } from '../../platform/http/run-change.ts'
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
  return runChange(ctx, async (db) => {
    const { customerId: known } = await getBilling(db, organizationId)
    if (known !== null && (await hasCustomer(stripe, known))) return { body: known, statements: [] }
    const key = known === null ? `customer-${organizationId}` : `customer-${organizationId}/${known}`
    const customerId = await createCustomer(stripe, organizationId, key, patience)
    const statements = [
      ...putCustomer(db, organizationId, known, customerId, realNow()),
      recordActivity(db, { organizationId, isTest: false }, originOf(ctx), {
        action: 'subscription.customer_created',
        resourceType: 'subscription',
        resourceId: organizationId,
        changes: { customer_id: [known, customerId] },
      }),
    ]
    return { body: customerId, statements }
  })
}
