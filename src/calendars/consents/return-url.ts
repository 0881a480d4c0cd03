import type { Env } from '../../env.ts'
import type { OAuthState } from '../../platform/auth/oauth-state.ts'
import { openDb } from '../../platform/db/client.ts'
import { homeOf } from '../../platform/db/shards.ts'
import { notFound } from '../../platform/http/errors.ts'
import { redirectHostsOf, refuseRedirect } from '../../platform/http/redirect-hosts.ts'
import { findAsking } from './queries.ts'

export type ReturnPlace = {
  readonly organizationName: string
  /** Where the owner of the account is sent in the end; null where nothing is named, or it is no longer allowed. */
  readonly redirectUrl: string | null
}

export async function findReturnPlace(
  env: Env,
  { organizationId, redirectUrl }: Pick<OAuthState, 'organizationId' | 'redirectUrl'>,
): Promise<ReturnPlace> {
  const asking = await findAsking(openDb(homeOf(env, organizationId), 'decide'), organizationId)
  if (!asking) throw notFound('organization')
  const hosts = redirectHostsOf(env, asking.allowedRedirectHosts)
  const isAllowed = redirectUrl !== null && refuseRedirect(env, hosts, redirectUrl) === null
  return { organizationName: asking.name, redirectUrl: isAllowed ? redirectUrl : null }
}
