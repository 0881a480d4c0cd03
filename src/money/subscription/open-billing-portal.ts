import type { TenantCaller } from '../../platform/auth/caller.ts'
import type { Context } from '../../platform/http/context.ts'
import { askProvider } from '../provider/ask-provider.ts'
import { openPortal } from '../stripe/billing-pages.ts'
import { assertCanBuy, assertPages } from './buying.ts'
import { ensureCustomer } from './ensure-customer.ts'
import { keepAnswered } from './keep-answered.ts'
import type { BillingPage, PortalInput } from './schema.ts'

export async function openBillingPortal(
  ctx: Context<TenantCaller>,
  { return_url: returnUrl }: PortalInput,
): Promise<BillingPage> {
  assertCanBuy(ctx.env, ctx.caller)
  assertPages(ctx.env, { return_url: returnUrl })
  const url = await askProvider(
    ctx.env,
    ctx.caller.organizationId,
    'billing_not_configured',
    async (stripe, patience) => {
      const customerId = await ensureCustomer(ctx, stripe, patience)
      return openPortal(stripe, customerId, returnUrl)
    },
  )
  return keepAnswered(ctx, { url })
}
