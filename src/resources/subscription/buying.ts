import type Stripe from 'stripe'
import type { TenantCaller } from '../../auth/caller.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Env } from '../../env.ts'
import { type Context, originOf } from '../../http/context.ts'
import { invalid, Refused } from '../../http/errors.ts'
import { refusePublicUrl } from '../../http/public-url.ts'
import { createCustomer } from '../../providers/stripe/billing-pages.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { getBilling, insertCustomer } from './store.ts'

export const NOT_CONFIGURED = 'Billing is not configured on this service.'

/** Both modes share one plan, and a sandbox pays for nothing. */
export function assertLive({ isTest }: TenantCaller): void {
  if (!isTest) return
  const message = 'The plan is bought for the organization, not for its sandbox: use a live key.'
  throw new Refused({ code: 'forbidden', message })
}

/** Where customers are sent back to. */
export function assertPages(env: Env, pages: Readonly<Record<string, string>>): void {
  const wrong = Object.entries(pages).flatMap(([field, url]) => {
    const refusal = refusePublicUrl(url, env.ALLOW_PRIVATE_HOSTS === 'true')
    return refusal === null ? [] : [[field, refusal] as const]
  })
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong))
}

/** The organization as a customer of the provider, made the first time it wants to buy something. */
export async function ensureCustomer(ctx: Context<TenantCaller>, stripe: Stripe): Promise<string> {
  const db = openDb(ctx.env, 'decide')
  const { organizationId } = ctx.caller
  const known = (await getBilling(db, organizationId)).customerId
  if (known !== null) return known
  const customerId = await createCustomer(stripe, organizationId)
  try {
    await commitBatch(db, [
      insertCustomer(db, organizationId, customerId, Date.now()),
      recordActivity(db, { organizationId, isTest: false }, originOf(ctx), {
        action: 'subscription.customer_created',
        resourceType: 'subscription',
        resourceId: organizationId,
        changes: { customer_id: customerId },
      }),
    ])
    return customerId
  } catch (error) {
    if (fenceOf(error) !== 'CUSTOMER_TAKEN') throw error
    return (await getBilling(db, organizationId)).customerId!
  }
}
