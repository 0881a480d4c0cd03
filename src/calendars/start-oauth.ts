import type { TenantCaller } from '../platform/auth/caller.ts'
import { newVerifier, sealOAuthState } from '../platform/auth/oauth-state.ts'
import { openDb } from '../platform/db/client.ts'
import type { Context } from '../platform/http/context.ts'
import { notFound } from '../platform/http/errors.ts'
import { assertRedirect } from '../platform/http/redirect-hosts.ts'
import { type CalendarSuite, callbackUrl, configOf } from './accounts/suites.ts'
import { authorizationUrl } from './oauth/authorization-url.ts'
import { findConnectable } from './queries.ts'
import type { ConnectQuery } from './schema.ts'

/** Where the owner of an account gives permission. Nothing is stored: all that comes next is sealed in the state. */
export async function startOAuth(
  ctx: Context<TenantCaller>,
  suite: CalendarSuite,
  { redirect_url, member_id }: ConnectQuery,
): Promise<{ url: string }> {
  const { env, caller } = ctx
  const { organizationId, isTest } = caller
  const config = configOf(env, suite)
  const { organization, member } = await findConnectable(openDb(env, 'decide'), caller, member_id ?? null, '')
  assertRedirect(env, organization.allowedRedirectHosts, redirect_url)
  if (!member) throw notFound('member')

  const verifier = newVerifier()
  const redirectUrl = redirect_url ?? null
  const memory = { organizationId, isTest, memberId: member.id, provider: suite, redirectUrl, verifier }
  const state = await sealOAuthState(env.ENCRYPTION_KEY, memory, Date.now())
  return { url: await authorizationUrl(config, { state, verifier, redirectUri: callbackUrl(env, suite) }) }
}
