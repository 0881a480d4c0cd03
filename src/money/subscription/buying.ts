import type { Env } from '../../env.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { invalid, refuse } from '../../platform/http/errors.ts'
import { refusePublicUrl } from '../../platform/http/public-url.ts'

/** Both modes share one plan, and a sandbox pays for nothing. */
export function assertCanBuy(env: Env, { isTest }: TenantCaller): void {
  if (!env.STRIPE_SECRET_KEY) throw refuse('billing_not_configured')
  if (isTest) throw refuse('test_key_buys_nothing')
}

/** Where customers are sent back to. */
export function assertPages(env: Env, pages: Readonly<Record<string, string>>): void {
  const wrong = Object.entries(pages).flatMap(([field, url]) => {
    const refusal = refusePublicUrl(url, env.ALLOW_PRIVATE_HOSTS === 'true')
    return refusal === null ? [] : [[field, refusal] as const]
  })
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong))
}
