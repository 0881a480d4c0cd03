import { calculatePKCECodeChallenge } from 'oauth4webapi'
import type { OAuthConfig } from './oauth-config.ts'

type AuthorizationRequest = {
  /** Comes back to the redirect URI as it is. */
  readonly state: string
  /** The PKCE code verifier (RFC 7636, section 4.1), which the exchange of the code needs again. */
  readonly verifier: string
  readonly redirectUri: string
}

/** Where the owner of an account gives permission (RFC 6749, section 4.1.1), with an S256 challenge (RFC 7636). */
export async function authorizationUrl(config: OAuthConfig, request: AuthorizationRequest): Promise<string> {
  const url = new URL(config.authorizationEndpoint)
  const parameters = {
    response_type: 'code',
    client_id: config.clientId,
    redirect_uri: request.redirectUri,
    ...(config.scopes.length > 0 && { scope: config.scopes.join(' ') }),
    state: request.state,
    code_challenge: await calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: 'S256',
    ...config.authorizationParameters,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
