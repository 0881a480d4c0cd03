import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Call, Json } from '../world.ts'
import { newGuid } from './make-ids.ts'
import { readScopes } from './scopes.ts'
import type { Account, Code, Grant, State, Token } from './state.ts'

const random = (bytes: number) => randomBytes(bytes).toString('base64url')
const part = (json: Json) => Buffer.from(JSON.stringify(json)).toString('base64url')

/** As the page of the authorization code flow has it. */
const CODE_MS = 600_000

/** Codes and tokens of personal accounts begin otherwise; all of them are long. */
export function makeCode(
  state: State,
  account: Account,
  scopes: readonly string[],
  { query, now }: Call,
): string {
  const code = account.settings.kind === 'personal' ? `M.C5${random(24)}` : `1.AX${random(300)}`
  const made: Code = {
    ...{
      code,
      account,
      scopes,
      redirectUri: query.get('redirect_uri')!,
      challenge: query.get('code_challenge'),
    },
    method: query.get('code_challenge_method') === 'S256' ? 'S256' : 'plain',
    ...{ nonce: query.get('nonce'), expiresMs: now + CODE_MS, isUsed: false },
  }
  state.codes.set(code, made)
  return code
}

export function makeGrant(state: State, account: Account, scopes: readonly string[]): Grant {
  const { grantedScope } = state.settings
  const granted = grantedScope === null ? scopes : readScopes(grantedScope)
  const grant: Grant = { id: newGuid(), account, scopes: granted, state: 'live', atMs: state.frame.now() }
  state.grants.push(grant)
  return grant
}

/** As the documentation shows it. */
export const TOKEN_LIFETIME_SECONDS = 3599
/** A refresh token ends after so many unused days; earlier ones stay valid beside newer ones. */
export const REFRESH_TOKEN_DAYS = 90

/** Of work accounts a JWT that is nobody's to read, of personal ones no JWT at all. */
export function makeAccessToken(state: State, grant: Grant, scopes: readonly string[]): Token {
  const issuedMs = state.frame.now()
  const expiresMs = issuedMs + TOKEN_LIFETIME_SECONDS * 1000
  const token =
    grant.account.settings.kind === 'personal'
      ? `EwB${random(400)}`
      : `${part({ typ: 'JWT', nonce: random(24), alg: 'RS256' })}.${part({
          aud: '00000003-0000-0000-c000-000000000000',
          exp: Math.floor(expiresMs / 1000),
          jti: newGuid(),
        })}.${random(256)}`
  const made: Token = { token, grant, scopes, issuedMs, expiresMs, isEnded: false }
  state.accessTokens.set(token, made)
  return made
}

export function makeRefreshToken(state: State, grant: Grant): Token {
  const issuedMs = state.frame.now()
  const token = grant.account.settings.kind === 'personal' ? `M.C5${random(250)}` : `1.AX${random(700)}`
  const expiresMs = issuedMs + REFRESH_TOKEN_DAYS * 86_400_000
  const made: Token = { token, grant, scopes: grant.scopes, issuedMs, expiresMs, isEnded: false }
  state.refreshTokens.set(token, made)
  return made
}

let keys: { privateKey: KeyObject; publicKey: KeyObject } | null = null
const keyPair = () => {
  keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return keys
}

/** learn.microsoft.com/entra/identity-platform/id-token-claims-reference */
export function makeIdToken(
  state: State,
  account: Account,
  scopes: readonly string[],
  nonce: string | null,
): string {
  const seconds = Math.floor(state.frame.now() / 1000)
  const claims = {
    ...{ ver: '2.0', iss: `${state.frame.base}/${account.tenant.id}/v2.0`, sub: `${account.id}.holdfast` },
    ...{ aud: state.registration.clientId, exp: seconds + 3600, iat: seconds, nbf: seconds },
    ...(scopes.includes('profile') && {
      name: account.settings.displayName,
      preferred_username: account.mail,
      oid: account.id,
    }),
    ...(scopes.includes('email') && !account.settings.isMailNull && { email: account.mail }),
    tid: account.tenant.id,
    ...(nonce && { nonce }),
  }
  const signed = `${part({ typ: 'JWT', alg: 'RS256', kid: 'double' })}.${part(claims)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(keyPair().privateKey).toString('base64url')}`
}

export const publicKeys = (): Json => ({
  keys: [{ ...keyPair().publicKey.export({ format: 'jwk' }), kid: 'double', use: 'sig', alg: 'RS256' }],
})
