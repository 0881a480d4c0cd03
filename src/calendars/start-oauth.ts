import type { TenantCaller } from '../platform/auth/caller.ts'
import { newVerifier, sealOAuthState } from '../platform/auth/oauth-state.ts'
import { openDb } from '../platform/db/client.ts'
import type { Context } from '../platform/http/context.ts'
import { notFound } from '../platform/http/errors.ts'
import { assertRedirect } from '../platform/http/redirect-hosts.ts'
import { callbackUrl, configOf } from './accounts/providers.ts'
import { findConnecting } from './accounts/statements.ts'
import { authorizationUrl } from './oauth/authorization-url.ts'
import { type OAuthProvider, withFreeBusy } from './oauth/oauth-config.ts'
import type { ConnectQuery } from './oauth/schema.ts'
import { memberMeant } from './own-member.ts'

/** The URL where the owner of an account gives permission. Nothing is stored: the sealed state has all that comes next. */
export async function startOAuth(
  { env, caller }: Context<TenantCaller>,
  provider: OAuthProvider,
  {
    redirect_url,
    member_id,
    free_busy,
  }: ConnectQuery & { readonly free_busy?: 'true' | 'false' | undefined },
): Promise<{ url: string }> {
  const config = configOf(env, provider)
  const { organizationId, isTest } = caller
  const db = openDb(env, 'decide')
  const meant = await memberMeant(db, caller, member_id ?? null)
  const { redirectHosts, memberId } = await findConnecting(db, organizationId, meant)
  assertRedirect(env, redirectHosts, redirect_url)
  if (memberId === null) throw notFound('member')

  const verifier = newVerifier()
  const redirectUrl = redirect_url ?? null
  const memory = { organizationId, isTest, memberId, provider, redirectUrl, verifier }
  const state = await sealOAuthState(env.ENCRYPTION_KEY, memory, Date.now())
  const redirectUri = callbackUrl(env, provider)
  // Zoom is not called for the sandbox: its owner comes back as if they had agreed.
  if (isTest && provider === 'video_a') {
    return { url: `${redirectUri}?${new URLSearchParams({ state, code: 'sandbox' })}` }
  }
  const asked = free_busy === 'true' ? withFreeBusy(config) : config
  return { url: await authorizationUrl(asked, { state, verifier, redirectUri }) }
}
