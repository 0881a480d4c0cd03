import type { TenantCaller } from '../../auth/caller.ts'
import { newVerifier, sealOAuthState } from '../../auth/oauth-state.ts'
import type { Context } from '../../http/context.ts'
import { assertRedirectAllowed } from '../../http/oauth-return.ts'
import { authorizationUrl } from '../../providers/oauth/authorization-url.ts'
import { callbackUrl, configOf, PROVIDER } from './oauth-provider.ts'

/** Where the owner of an account gives permission. Nothing is kept: what follows is sealed in the state. */
export async function startConnecting(
  { env, caller }: Context<TenantCaller>,
  redirectUrl: string | undefined,
): Promise<{ url: string }> {
  const config = configOf(env)
  assertRedirectAllowed(env, redirectUrl)
  const { organizationId, isTest } = caller
  const verifier = newVerifier()
  const memory = { organizationId, isTest, memberId: null, provider: PROVIDER, verifier }
  const state = await sealOAuthState(
    env.ENCRYPTION_KEY,
    { ...memory, redirectUrl: redirectUrl ?? null },
    Date.now(),
  )
  return { url: await authorizationUrl(config, { state, verifier, redirectUri: callbackUrl(env) }) }
}
