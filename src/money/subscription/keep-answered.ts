import type { TenantCaller } from '../../platform/auth/caller.ts'
import type { Context } from '../../platform/http/context.ts'
import { storeResponse } from '../../platform/http/idempotency.ts'

/** Keeps an answer that was made at the provider, where no batch of ours can commit it together with the change. */
export async function keepAnswered<T>(ctx: Context<TenantCaller>, body: T): Promise<T> {
  if (ctx.claim) await storeResponse(ctx.env, ctx.claim, { status: 200, body })
  return body
}
