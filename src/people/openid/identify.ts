import {
  authorizationCodeGrantRequest,
  type ClientAuth,
  ClientSecretPost,
  clockTolerance,
  getValidatedIdTokenClaims,
  INVALID_RESPONSE,
  type JsonValue,
  type JWK,
  jwksCache,
  KEY_SELECTION,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi'
import { SECOND_MS } from '../../core/time-units.ts'
import type { OpenIdSecrets } from './authorization-url.ts'
import { discoverProvider, forgetProvider, type Provider } from './discover-provider.ts'
import { type OpenIdConfig, OpenIdError, type Talk } from './openid-config.ts'
import { asOpenId } from './openid-failure.ts'
import { talkOptions } from './send-request.ts'

/** How far its clock may be from ours. */
const TOLERANCE_SECONDS = 60

type ToldEmail = { readonly address: string; readonly isVerified: boolean }

/** Somebody whom the provider vouches for. */
export type Identity = {
  /** What it calls them, for ever. */
  readonly subject: string
  /** When they signed in there, in epoch milliseconds; null where it does not say. */
  readonly authenticatedAt: number | null
  /** Their address, if the ID token says whether it was verified. */
  readonly email: ToldEmail | null
  /** The same, asked for where the ID token does not say; null where they have none. Throws an OpenIdError. */
  readonly askEmail: () => Promise<ToldEmail | null>
}

/**
 * The person who came back from the provider with `parameters` (OpenID Connect Core 1.0, sections 3.1.2.5 to 3.1.3.7; RFC
 * 9207). If `maxAgeSeconds` is a number, they must have signed in there within that time. Throws an OpenIdError.
 */
export function identify(
  talk: Talk,
  { state, nonce, verifier }: OpenIdSecrets,
  parameters: URLSearchParams,
  maxAgeSeconds: number | null,
): Promise<Identity> {
  const { config } = talk
  const client = { client_id: config.clientId, [clockTolerance]: TOLERANCE_SECONDS }
  const options = talkOptions(talk)
  return asOpenId(async () => {
    const provider = await discoverProvider(talk)
    const answered = validateAuthResponse(provider, client, parameters, state)
    const authenticate = authenticationAt(provider, config)
    const { redirectUri } = config
    const response = await authorizationCodeGrantRequest(
      ...([provider, client, authenticate, answered, redirectUri, verifier, options] as const),
    )
    const tokens = await processAuthorizationCodeResponse(provider, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
      ...(maxAgeSeconds !== null && { maxAge: maxAgeSeconds }),
    })
    await checkSignature(talk, provider, response)
    const claims = getValidatedIdTokenClaims(tokens)!
    if (claims.azp !== undefined && claims.azp !== config.clientId) {
      throw new OpenIdError('refused', 'the ID token is for another client')
    }
    // All whom a provider calls nothing would be one person.
    if (claims.sub === '') throw new OpenIdError('refused', 'the ID token is about nobody')
    const email = emailIn(claims)
    return {
      subject: claims.sub,
      // It may come with a fraction (RFC 7519, section 2).
      authenticatedAt: claims.auth_time === undefined ? null : Math.floor(claims.auth_time * 1000),
      email,
      askEmail: () =>
        asOpenId(async () => {
          if (email || provider.userinfo_endpoint === undefined) return email
          const told = await userInfoRequest(provider, client, tokens.access_token, options)
          return emailIn(await processUserInfoResponse(provider, client, claims.sub, told))
        }),
    }
  })
}

/**
 * Of both at once, for an address of one answer says nothing about what another verified. Some write truth as text (Amazon
 * Cognito: zitadel/oidc#139).
 */
function emailIn(claims: { readonly [name: string]: JsonValue | undefined }): ToldEmail | null {
  const { email, email_verified: told } = claims
  if (typeof email !== 'string' || !['true', 'false'].includes(String(told))) return null
  return { address: email, isVerified: told === true || told === 'true' }
}

/** The library leaves it out where TLS vouches for the answer, and passes over the algorithm `none` with it. */
async function checkSignature(talk: Talk, provider: Provider, response: Response): Promise<void> {
  try {
    await checkByName(talk, provider, response)
  } catch (error) {
    const code = error instanceof OperationProcessingError ? error.code : null
    if (code !== KEY_SELECTION && code !== INVALID_RESPONSE) throw error
    // It may have taken a new key since, under the same name too.
    forgetProvider()
    await checkByName(talk, await discoverProvider(talk), response)
  }
}

/** Where several keys have the name that the token says, which the library leaves open, any of them will do. */
async function checkByName(talk: Talk, provider: Provider, response: Response): Promise<void> {
  const options = talkOptions(talk)
  try {
    await validateApplicationLevelSignature(provider, response, options)
  } catch (error) {
    const uat = Math.floor(Date.now() / SECOND_MS)
    const checks = namedIn(error).map((key) =>
      // A copy, for the library remembers keys by the object.
      validateApplicationLevelSignature({ ...provider }, response, {
        ...options,
        [jwksCache]: { jwks: { keys: [key] }, uat },
      }),
    )
    await Promise.any(checks).catch(() => {
      throw error
    })
  }
}

/** The keys among which the library could not choose. */
function namedIn(error: unknown): readonly JWK[] {
  if (!(error instanceof OperationProcessingError) || error.code !== KEY_SELECTION) return []
  return (error.cause as { readonly candidates: readonly JWK[] }).candidates
}

/** Most take both; of the two, the one in the body leaves nothing open about how it is written. */
function authenticationAt(provider: Provider, { clientSecret }: OpenIdConfig): ClientAuth {
  const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_post') ? ClientSecretPost(clientSecret) : basic(clientSecret)
}

/**
 * RFC 6749, section 2.3.1: form-encoded, and nothing encoded that need not be, for some servers take it as it is. The
 * library's own encodes hyphens too: panva/oauth4webapi#199.
 */
const basic =
  (secret: string): ClientAuth =>
  (_, client, __, headers) => {
    const [id, encoded] = [client.client_id, secret].map((one) =>
      new URLSearchParams([['', one]]).toString().slice(1),
    )
    headers.set('Authorization', `Basic ${btoa(`${id}:${encoded}`)}`)
  }
