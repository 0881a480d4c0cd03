import type { PublicCaller } from '../../platform/auth/caller.ts'
import { homeOf } from '../../platform/db/shards.ts'
import type { Context } from '../../platform/http/context.ts'
import { readOAuthGrant, withOutcome } from '../../platform/http/oauth-return.ts'
import type { OAuthProvider } from '../oauth/oauth-config.ts'
import { type ConsentEnd, refusedEnd } from './consent-end.ts'
import { CONSENTS } from './providers.ts'
import { findReturnPlace } from './return-url.ts'

/** The owner of the account said yes to what they were asked. */
export async function confirmConsent(
  ctx: Context<PublicCaller>,
  provider: OAuthProvider,
  sealedGrant: string,
): Promise<ConsentEnd> {
  const consent = CONSENTS[provider]
  consent.assertConfigured(ctx.env)
  const grant = await readOAuthGrant(ctx.env, provider, sealedGrant)
  const env = homeOf(ctx.env, grant.state.organizationId)
  const place = await findReturnPlace(env, grant.state)
  try {
    await consent.connect({ ...ctx, env }, grant)
  } catch (error) {
    return refusedEnd(place, error)
  }
  const to = place.redirectUrl && withOutcome(place.redirectUrl, { [consent.kind]: 'connected' })
  return { kind: 'connected', to }
}
