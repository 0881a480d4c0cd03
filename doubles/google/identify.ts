import { createSign, generateKeyPairSync } from 'node:crypto'
import type { Call, Json, Reply } from '../world.ts'
import { tokenOf } from './check-access.ts'
import { grantIsLive } from './end-grants.ts'
import { hash } from './make-ids.ts'
import { refuseAtFront, refuseOAuth } from './refuse.ts'
import type { Grant, State } from './state.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = publicKey.export({ format: 'jwk' })
const keyId = hash(jwk.n ?? '').slice(0, 40)
const auth = 'https://www.googleapis.com/auth/'

/** developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload */
export function makeIdToken(state: State, grant: Grant, now: number, nonce: string | null): string {
  const issued = Math.floor(now / 1000)
  const payload = {
    iss: state.settings.issuer ?? 'https://accounts.google.com',
    azp: grant.clientId,
    aud: grant.clientId,
    ...claimsOf(state, grant),
    ...(nonce !== null && { nonce }),
    iat: issued,
    exp: issued + 3600,
  }
  const part = (json: Json) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const signed = `${part({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${part(payload)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey).toString('base64url')}`
}

function claimsOf(state: State, { mail, scopes }: Grant): Json {
  const account = state.accounts.get(mail)!
  const [given = '', ...family] = account.name.split(' ')
  return {
    sub: account.sub,
    ...(scopes.includes(`${auth}userinfo.email`) && { email: mail, email_verified: true }),
    ...(account.isWorkspace && { hd: mail.split('@')[1] }),
    ...(scopes.includes(`${auth}userinfo.profile`) && {
      name: account.name,
      given_name: given,
      family_name: family.join(' '),
      picture: 'https://lh3.googleusercontent.com/a/default-user=s96-c',
    }),
  }
}

export function showKeys(): Reply {
  return { status: 200, json: { keys: [{ ...jwk, kid: keyId, use: 'sig', alg: 'RS256' }] } }
}

/** `GET /v1/userinfo` (openidconnect.googleapis.com) and those of old below `/oauth2`. */
export function showUser(state: State, call: Call): Reply {
  const token = state.tokens.get(tokenOf(call) ?? '')
  const isLive = token && token.expiresAt > call.now && grantIsLive(token.grant, call.now)
  if (!isLive) {
    const message = 'Request had invalid authentication credentials.'
    const one = { message: 'Invalid Credentials', domain: 'global', reason: 'authError' }
    throw refuseAtFront(401, 'UNAUTHENTICATED', message, one, [], {
      'WWW-Authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
    })
  }
  const claims = claimsOf(state, token.grant)
  if (!token.grant.scopes.some((scope) => scope === 'openid' || scope.startsWith(`${auth}userinfo`))) {
    const message = 'Request is missing required authentication scopes.'
    const one = { message: 'Insufficient Permission', domain: 'global', reason: 'insufficientPermissions' }
    throw refuseAtFront(403, 'PERMISSION_DENIED', message, one, [])
  }
  if (!call.path.includes('/v2/')) return { status: 200, json: claims }
  const { sub, email_verified, ...rest } = claims
  return { status: 200, json: { id: sub, ...(email_verified && { verified_email: true }), ...rest } }
}

/** `GET /tokeninfo?access_token=…`: what a token is good for. */
export function showToken(state: State, call: Call): Reply {
  const token = state.tokens.get(call.query.get('access_token') ?? '')
  if (!token || token.expiresAt <= call.now || !grantIsLive(token.grant, call.now)) {
    throw refuseOAuth(400, 'invalid_token', 'Invalid Value')
  }
  return {
    status: 200,
    json: {
      azp: token.grant.clientId,
      aud: token.grant.clientId,
      scope: token.grant.scopes.join(' '),
      exp: String(Math.floor(token.expiresAt / 1000)),
      expires_in: String(Math.floor((token.expiresAt - call.now) / 1000)),
      access_type: token.grant.refreshToken === null ? 'online' : 'offline',
    },
  }
}

/** accounts.google.com/.well-known/openid-configuration, with this world's addresses. */
export function showConfiguration(state: State, base: string): Reply {
  return {
    status: 200,
    json: {
      issuer: state.settings.issuer ?? 'https://accounts.google.com',
      authorization_endpoint: `${base}/o/oauth2/v2/auth`,
      token_endpoint: `${base}/token`,
      userinfo_endpoint: `${base}/v1/userinfo`,
      revocation_endpoint: `${base}/revoke`,
      jwks_uri: `${base}/oauth2/v3/certs`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      code_challenge_methods_supported: ['plain', 'S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      authorization_response_iss_parameter_supported: state.settings.issuer !== null,
    },
  }
}
