import type { TenantCaller } from '../../auth/caller.ts'
import { newVerifier, sealOAuthState } from '../../auth/oauth-state.ts'
import { openDb } from '../../db/client.ts'
import type { Context } from '../../http/context.ts'
import { assertRedirect } from '../../http/redirect-hosts.ts'
import { authorizationUrl } from '../../providers/oauth/authorization-url.ts'
import { callbackUrl, configOf, PROVIDER } from './oauth-provider.ts'
import { findRedirectHosts } from './queries.ts'

/** Where the owner of an account gives permission. Nothing is stored: all that comes next is sealed in the state. */
export async function startConnecting(
  { env, caller }: Context<TenantCaller>,
  redirectUrl: string | undefined,
): Promise<{ url: string }> {
  const config = configOf(env)
  const { organizationId, isTest } = caller
  if (redirectUrl !== undefined) {
    const hosts = await findRedirectHosts(openDb(env, 'decide'), organizationId)
    assertRedirect(env, hosts, redirectUrl)
  }
  const verifier = newVerifier()
  const memory = { organizationId, isTest, memberId: null, provider: PROVIDER, verifier }
  const state = await sealOAuthState(
    env.ENCRYPTION_KEY,
    { ...memory, redirectUrl: redirectUrl ?? null },
    Date.now(),
  )
  return { url: await authorizationUrl(config, { state, verifier, redirectUri: callbackUrl(env) }) }
}
