import type { TenantCaller } from '../../platform/auth/caller.ts'
import { newVerifier, sealOAuthState } from '../../platform/auth/oauth-state.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { assertRedirect } from '../../platform/http/redirect-hosts.ts'
import { authorizationUrl } from '../oauth/authorization-url.ts'
import { findConnecting } from './accounts/queries.ts'
import { callbackUrl, configOf, PROVIDER } from './oauth-provider.ts'
import type { ConnectConferencingQuery } from './schema.ts'

/** Where the owner of an account gives permission. Nothing is stored: all that comes next is sealed in the state. */
export async function startConnecting(
  { env, caller }: Context<TenantCaller>,
  { redirect_url: redirectUrl, member_id }: ConnectConferencingQuery,
): Promise<{ url: string }> {
  const config = configOf(env)
  const { organizationId, isTest } = caller
  const { redirectHosts, memberId } = await findConnecting(
    openDb(env, 'decide'),
    organizationId,
    member_id ?? null,
  )
  assertRedirect(env, redirectHosts, redirectUrl)
  if (memberId === null) throw notFound('member')

  const verifier = newVerifier()
  const memory = { organizationId, isTest, memberId, provider: PROVIDER, verifier }
  const state = await sealOAuthState(
    env.ENCRYPTION_KEY,
    { ...memory, redirectUrl: redirectUrl ?? null },
    Date.now(),
  )
  const redirectUri = callbackUrl(env)
  // No provider hears of the sandbox: its owner comes back as if they had said yes.
  if (isTest) return { url: `${redirectUri}?${new URLSearchParams({ state, code: 'sandbox' })}` }
  return { url: await authorizationUrl(config, { state, verifier, redirectUri }) }
}
