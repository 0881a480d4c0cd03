import type { Env } from '../env.ts'
import { sealAdminConsentState } from '../platform/auth/admin-consent-state.ts'
import type { TenantCaller } from '../platform/auth/caller.ts'
import { openDb } from '../platform/db/client.ts'
import type { Context } from '../platform/http/context.ts'
import { assertRedirect } from '../platform/http/redirect-hosts.ts'
import { callbackUrl, configOf } from './accounts/providers.ts'
import type { AdminConsentQuery } from './oauth/schema.ts'
import { findConnectable } from './queries.ts'

const SUITE = 'calendar_b'

/** Where an administrator agrees for everybody of an organization at Microsoft. */
export async function startAdminConsent(
  { env, caller }: Context<TenantCaller>,
  { redirect_url }: AdminConsentQuery,
): Promise<{ url: string }> {
  configOf(env, SUITE)
  const { organization } = await findConnectable(openDb(env, 'decide'), caller, null, '')
  assertRedirect(env, organization.allowedRedirectHosts, redirect_url)
  return { url: await adminConsentUrl(env, caller.organizationId, redirect_url ?? null) }
}

/** https://learn.microsoft.com/entra/identity-platform/v2-admin-consent */
export async function adminConsentUrl(
  env: Env,
  organizationId: string,
  redirectUrl: string | null,
): Promise<string> {
  const { adminConsentEndpoint, clientId, scopes } = configOf(env, SUITE)
  const state = { organizationId, provider: SUITE, redirectUrl }
  const url = new URL(adminConsentEndpoint!)
  const parameters = {
    client_id: clientId,
    redirect_uri: callbackUrl(env, SUITE),
    scope: scopes.join(' '),
    state: await sealAdminConsentState(env.ENCRYPTION_KEY, state, Date.now()),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
