import type { Call, Reply } from '../world.ts'
import { userinfoClaims } from './make-claims.ts'
import { signToken } from './sign-token.ts'
import type { Provider } from './state.ts'

/**
 * The userinfo endpoint: Core 5.3, by GET or POST, with the token in a header (RFC 6750 2.1). Refusals are those of RFC 6750
 * 3 and have no body, as Okta's: panva/openid-client#102.
 */
export function showUser(provider: Provider, { headers, now }: Call): Reply {
  const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(headers.authorization ?? '') ?? []
  // «If the request lacks any authentication information … SHOULD NOT include an error code»: RFC 6750 3.1
  if (token === undefined) return { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="double"' } }
  const grant = provider.grants.find(({ accessToken }) => accessToken === token)
  if (!grant || grant.ending !== null || grant.endsAt <= now)
    return {
      status: 401,
      headers: {
        'WWW-Authenticate': 'Bearer realm="double", error="invalid_token", error_description="It is over."',
      },
    }
  const claims = userinfoClaims(provider, grant.code)
  if (provider.settings.userinfoIs === 'json') return { status: 200, json: claims }
  // ProConnect, Ory and Keycloak do so for clients that are registered for it: medplum/medplum#6824, suitenumerique/people#804
  return { status: 200, body: signToken(provider, claims), headers: { 'Content-Type': 'application/jwt' } }
}
