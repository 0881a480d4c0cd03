import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type ClientAuth,
  ClientSecretPost,
  customFetch,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  skipStateCheck,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { Fetch } from '../../platform/transport/fetch.ts'
import { boundedText } from './bounded-text.ts'
import type { OAuthConfig } from './oauth-config.ts'
import { assertAvailable, tokenFailure } from './token-failure.ts'

/** What gives access to an account. Secret: stored only sealed. */
export type Tokens = {
  readonly accessToken: string
  readonly refreshToken: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** What was granted, space-separated; empty where the provider does not say. */
  readonly scope: string
}

type CodeExchange = {
  readonly code: string
  readonly verifier: string
  /** The same as in the authorization request. */
  readonly redirectUri: string
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
const DEFAULT_LIFETIME_SECONDS = 3600

/**
 * Tokens for an authorization code (RFC 6749, section 4.1.3), which a provider takes once. Throws a CalendarError: `refused` for
 * a wrong, used or expired code and for missing permission.
 */
export async function exchangeCode(
  config: OAuthConfig,
  { code, verifier, redirectUri }: CodeExchange,
  send: Fetch,
): Promise<Tokens> {
  const { server, client, authenticate, options } = setup(config, send)
  const answer = await asking(config, 'exchange', async () => {
    const parameters = validateAuthResponse(server, client, new URLSearchParams({ code }), skipStateCheck)
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      authenticate,
      parameters,
      redirectUri,
      verifier,
      options,
    )
    assertAvailable(config, response)
    return processAuthorizationCodeResponse(server, client, response)
  })
  if (answer.refresh_token === undefined) {
    throw new CalendarError('refused', `${config.title} gave access for a short time only.`)
  }
  const tokens = toTokens(answer, { refreshToken: answer.refresh_token, scope: '' })
  const granted = tokens.scope.split(' ')
  const missing = Object.entries(config.requiredScopes).filter(([scope]) => !granted.includes(scope))
  if (tokens.scope !== '' && missing.length > 0) {
    const names = missing.map(([, name]) => `«${name}»`).join(' and ')
    throw new CalendarError(
      'refused',
      `${config.title} was not permitted ${names}: connect once more and tick it.`,
    )
  }
  return tokens
}

/**
 * New tokens (RFC 6749, section 6). They must be stored, because the provider may no longer take the old ones. Throws a
 * CalendarError: `revoked`, `expired`, or `misconfigured` if the provider no longer knows this service.
 */
export async function refreshTokens(config: OAuthConfig, tokens: Tokens, send: Fetch): Promise<Tokens> {
  const { server, client, authenticate, options } = setup(config, send)
  const answer = await asking(config, 'refresh', async () => {
    const response = await refreshTokenGrantRequest(
      server,
      client,
      authenticate,
      tokens.refreshToken,
      options,
    )
    assertAvailable(config, response)
    return processRefreshTokenResponse(server, client, response)
  })
  return toTokens(answer, tokens)
}

/**
 * Revokes the permission (RFC 7009), so that the tokens no longer work; one that is already gone
 * is fine. Microsoft has no such endpoint: the owner withdraws it in their account there.
 */
export async function revokeTokens(config: OAuthConfig, tokens: Tokens, send: Fetch): Promise<void> {
  if (config.revocationEndpoint === null) return
  const { server, client, authenticate, options } = setup(config, send)
  // Zoom revokes by access token; Google takes either.
  const token = config.authenticatesBy === 'basic' ? tokens.accessToken : tokens.refreshToken
  await asking(config, 'refresh', async () => {
    const response = await revocationRequest(server, client, authenticate, token, options)
    assertAvailable(config, response)
    if (response.status === 400 || response.status === 401) return
    await processRevocationResponse(response)
  })
}

function setup(config: OAuthConfig, send: Fetch) {
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint, clientId, clientSecret } = config
  const authentication = config.authenticatesBy === 'basic' ? plainBasic : ClientSecretPost
  return {
    server: {
      issuer: new URL(tokenEndpoint).origin,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      ...(revocationEndpoint !== null && { revocation_endpoint: revocationEndpoint }),
    },
    client: { client_id: clientId },
    authenticate: authentication(clientSecret),
    options: {
      signal: () => AbortSignal.timeout(TIMEOUT_MS),
      [allowInsecureRequests]: config.allowsHttp,
      [customFetch]: async (url: string, init: object) => {
        const response = await send(url, init as RequestInit)
        const text = await boundedText(response, MAX_BYTES, config.title)
        const { status, headers } = response
        return new Response(text === '' ? null : text, { status, headers })
      },
    },
  }
}

/** Zoom takes the credentials as they are, where RFC 6749, section 2.3.1 has them percent-encoded first. */
const plainBasic =
  (secret: string): ClientAuth =>
  (_, client, __, headers) => {
    const bytes = new TextEncoder().encode(`${client.client_id}:${secret}`)
    headers.set('Authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`)
  }

async function asking<T>(
  config: OAuthConfig,
  kind: 'exchange' | 'refresh',
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof CalendarError ? error : tokenFailure(config, kind, error)
  }
}

function toTokens(answer: TokenEndpointResponse, known: Pick<Tokens, 'refreshToken' | 'scope'>): Tokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? known.refreshToken,
    expiresAt: Date.now() + (answer.expires_in ?? DEFAULT_LIFETIME_SECONDS) * 1000,
    scope: answer.scope ?? known.scope,
  }
}
