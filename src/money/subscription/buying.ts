import type { Env } from '../../env.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { invalid, Refused } from '../../platform/http/errors.ts'
import { refusePublicUrl } from '../../platform/http/public-url.ts'

export const NOT_CONFIGURED = 'Billing is not configured on this service.'

/** Both modes share one plan, and a sandbox pays for nothing. */
export function assertCanBuy(env: Env, { isTest }: TenantCaller): void {
  if (!env.STRIPE_SECRET_KEY) throw new Refused({ code: 'bad_request', message: NOT_CONFIGURED })
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
