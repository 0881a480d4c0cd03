import { type KeyObject, randomBytes } from 'node:crypto'
import type { Frame, Json } from '../world.ts'

export type Algorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'HS256' | 'none'

/**
 * What `PUT /control` changes. Settings that are called changes replace correct values by name; null removes one. act-like.ts has
 * the sources of the defaults and of providers that differ.
 */
export type Settings = {
  /**
   * What follows the world's address in the issuer: nothing, a slash (Auth0, authentik), a path, or `/{tenantid}/v2.0`, a
   * template in discovery that tokens fill with the person's tenant (Microsoft Entra).
   */
  issuerPath: string
  /** `iss` in the answer of the authorization endpoint, and discovery says so: RFC 9207. */
  namesIssuer: boolean
  /** Advertised and taken at the token endpoint: Core 9. */
  clientAuthentication: ('client_secret_basic' | 'client_secret_post' | 'none')[]
  /** Whether id and secret are form-encoded in a Basic header, as in RFC 6749 2.3.1, or plain. */
  basicIs: 'form-encoded' | 'as it is'
  /** Added to every advertised endpoint, and they answer to nobody who leaves it out: `p=B2C_1_signin`. */
  endpointQuery: string | null
  /** Whether scopes that are unknown are ignored (Core 3.1.2.1) or refused (RFC 6749 4.1.2.1). */
  unknownScopesAre: 'ignored' | 'refused'
  /** The signed-in person; without one a page asks, and `prompt=none` fails. */
  signedIn: string | null
  /** How long ago that was: `auth_time`. */
  signedInSecondsAgo: number
  /** What the authorization endpoint answers instead of a code: Core 3.1.2.6, RFC 6749 4.1.2.1. */
  refusal: { error: string; error_description?: string; error_uri?: string } | null
  /** RFC 6749 4.1.2 recommends ten minutes at most. */
  codeLifetimeSeconds: number
  /** Below zero it is over when it comes. */
  idTokenLifetimeSeconds: number
  /** `nbf` so long before `iat`; null: none. */
  notBeforeSeconds: number | null
  algorithm: Algorithm
  /**
   * What is wrong with the signature: `broken`; `by another key` than the one of its `kid`; `by a key in its header`
   * (`jwk`); `with the public key` as the secret of HS256; `of other claims`.
   */
  signature:
    | 'right'
    | 'broken'
    | 'by another key'
    | 'by a key in its header'
    | 'with the public key'
    | 'of other claims'
  /** What id_tokens say of a person beside `sub`: all their scopes allow, what Okta's thin ones do, or nothing. */
  idTokenTells: 'all' | 'name and address' | 'nothing'
  /** Claims that are never returned. */
  neverTells: string[]
  hasAtHash: boolean
  /** `azp`, though there is one audience. */
  hasAuthorizedParty: boolean
  /** Claims that the provider puts into every id_token: `ver`, `token_use`. */
  usualClaims: Json
  /** What it adds to each answer of the authorization endpoint: `session_state`. */
  usualAnswer: Json
  hasUserinfo: boolean
  /** Signed as id_tokens are (`application/jwt`), or plain: Core 5.3.2. */
  userinfoIs: 'json' | 'jwt'
  /** Booleans at the userinfo endpoint are `"true"` and `"false"`. */
  userinfoHasTexts: boolean
  /** Names that published keys do not have: `alg`, `kid`, `use`. */
  keysLack: string[]
  /** Keys that nobody verifies id_tokens with: of unknown kinds and curves, for encryption, without what they need. */
  hasStrangeKeys: boolean
  /** `Cache-Control: max-age` of the discovery document and of the keys. */
  cacheSeconds: number | null
  discoveryChanges: Json
  answerChanges: Json
  tokenChanges: Json
  headerChanges: Json
  claimChanges: Json
  userinfoChanges: Json
}

/** What `PUT /control/registration` changes: the client as it is known here. */
export type Registration = {
  clientId: string
  clientSecret: string
  /** Null lets every address in; else it must be one of these, sign by sign: Core 3.1.2.1. */
  redirectUris: string[] | null
  requiresPkce: boolean
  /** One way alone; null: any that is advertised. */
  tokenEndpointAuthMethod: Settings['clientAuthentication'][number] | null
}

export type Person = {
  /** The choice at the page: the `as` of a test. */
  readonly login: string
  sub: string
  /** Of all scopes, and those that no scope governs (`hd`, `tid`, `xms_edov`, `groups`). */
  claims: Json
}

export type Code = {
  readonly value: string
  readonly person: Person
  readonly redirectUri: string
  readonly challenge: { readonly value: string; readonly method: string } | null
  readonly scopes: readonly string[]
  readonly nonce: string | null
  readonly wantsAuthTime: boolean
  readonly endsAt: number
  isSpent: boolean
}

export type Grant = {
  readonly code: Code
  readonly accessToken: string
  endsAt: number
  ending: 'the code was used again' | 'ended' | null
}

export type Key = {
  readonly kid: string
  readonly algorithm: Algorithm
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  isPublished: boolean
}

export type Provider = {
  readonly frame: Frame
  readonly settings: Settings
  readonly registration: Registration
  readonly people: Map<string, Person>
  readonly codes: Map<string, Code>
  readonly grants: Grant[]
  readonly keys: Key[]
}

export function holdProvider(frame: Frame): Provider {
  return {
    frame,
    settings: {
      issuerPath: '',
      namesIssuer: true,
      clientAuthentication: ['client_secret_basic', 'client_secret_post'],
      basicIs: 'form-encoded',
      endpointQuery: null,
      unknownScopesAre: 'ignored',
      signedIn: null,
      signedInSecondsAgo: 0,
      refusal: null,
      codeLifetimeSeconds: 600,
      idTokenLifetimeSeconds: 3600,
      notBeforeSeconds: null,
      algorithm: 'RS256',
      signature: 'right',
      idTokenTells: 'all',
      neverTells: [],
      hasAtHash: true,
      hasAuthorizedParty: false,
      usualClaims: {},
      usualAnswer: {},
      hasUserinfo: true,
      userinfoIs: 'json',
      userinfoHasTexts: false,
      keysLack: [],
      hasStrangeKeys: false,
      cacheSeconds: null,
      discoveryChanges: {},
      answerChanges: {},
      tokenChanges: {},
      headerChanges: {},
      claimChanges: {},
      userinfoChanges: {},
    },
    registration: {
      clientId: 'holdfast-double',
      // With signs that differ once they are form-encoded, as generated ones have them: panva/node-oidc-provider#361
      clientSecret: 'double+secret/1=',
      redirectUris: null,
      requiresPkce: true,
      tokenEndpointAuthMethod: null,
    },
    people: new Map(),
    codes: new Map(),
    grants: [],
    keys: [],
  }
}

/** A person with that login, made when first named: their address is the login, and verified. */
export function personOf(provider: Provider, login: string): Person {
  const known = provider.people.get(login)
  if (known) return known
  const given = login.split('@')[0]!.replace(/^./, (letter) => letter.toUpperCase())
  const person: Person = {
    login,
    sub: randomId(),
    claims: {
      email: login,
      email_verified: true,
      name: `${given} Example`,
      given_name: given,
      family_name: 'Example',
      preferred_username: login,
      locale: 'en',
    },
  }
  provider.people.set(login, person)
  return person
}

/** `json` with `changes` laid over it: null takes a name away. */
export function changed(json: Json, changes: Json): Json {
  return Object.fromEntries(Object.entries({ ...json, ...changes }).filter(([, value]) => value !== null))
}

export function randomId(): string {
  return randomBytes(16).toString('base64url')
}
