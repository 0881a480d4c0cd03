import { calculatePKCECodeChallenge } from 'oauth4webapi'
import type { Provider } from './discover-provider.ts'
import type { OpenIdConfig } from './openid-config.ts'

/** What comes back with somebody, and what it is held against. */
export type OpenIdSecrets = {
  readonly state: string
  readonly nonce: string
  /** The PKCE code verifier (RFC 7636, section 4.1). */
  readonly verifier: string
}

/**
 * Where somebody signs in at the provider (OpenID Connect Core 1.0, section 3.1.2.1, with RFC 7636). With `isFresh` they
 * do so again, though they are signed in there.
 */
export async function openIdUrl(
  { clientId, redirectUri }: OpenIdConfig,
  provider: Provider,
  { state, nonce, verifier }: OpenIdSecrets,
  isFresh: boolean,
): Promise<string> {
  const url = new URL(provider.authorization_endpoint!)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isFresh && { max_age: '0', ...(takesPrompt(provider) && { prompt: 'login' }) }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Whether it takes `prompt=login`: all do that do not list what they take instead. */
function takesPrompt({ prompt_values_supported: listed }: Provider): boolean {
  return !Array.isArray(listed) || listed.includes('login')
}

/** Whether the provider says when somebody signed in: Google does not. */
export function saysWhenSignedIn({ claims_supported: listed }: Provider): boolean {
  return !Array.isArray(listed) || listed.includes('auth_time')
}
