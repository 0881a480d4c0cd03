import { createHash, randomBytes } from 'node:crypto'
import type { Call, Reply } from '../world.ts'
import { refuseToken } from './answer-errors.ts'
import { parametersOf, refuseApp } from './authenticate-app.ts'
import { type Ending, type Grant, liveGrant, randomId, type User, type Zoom } from './state.ts'

const DAY_MS = 86_400_000

/** POST /oauth/token: developers.zoom.us/docs/integrations/oauth */
export function answerToken(zoom: Zoom, call: Call): Reply {
  const parameters = parametersOf(call)
  const refusal = refuseApp(zoom, call, parameters)
  if (refusal) return refusal
  switch (parameters.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(zoom, call, parameters)
    case 'refresh_token':
      return refresh(zoom, call, parameters)
    case null:
      return refuseToken('invalid_request', 'Missing grant type.')
    default:
      return refuseToken('unsupported_grant_type', 'unsupported grant type')
  }
}

function exchangeCode(zoom: Zoom, call: Call, parameters: URLSearchParams): Reply {
  const given = parameters.get('code') ?? ''
  const code = zoom.codes.get(given)
  // devforum.zoom.us/t/zoom-auth-redirect-invalid-invalid-authorization-code/12302; error 4734
  if (!code) return refuseToken('invalid_request', `Invalid authorization code ${given}`)
  // Good for five minutes: error 4733
  if (code.endsAt <= call.now) return refuseToken('invalid_request', 'Code is expired')
  // Error 4709
  if (parameters.get('redirect_uri') !== code.redirectUri)
    return refuseToken('invalid_request', 'Redirect URI mismatch.')
  if (!isVerified(code.challenge, code.method, parameters.get('code_verifier')))
    return refuseToken('invalid_request', 'Invalid code verifier')
  zoom.codes.delete(given)
  // The last one is valid and those before it are not: error 4741, seen as «Invalid Token!» in iamfatness/CoreVideo#196
  const earlier = liveGrant(zoom, code.user)
  if (earlier) earlier.ending = 'consented again'
  const grant: Grant = {
    user: code.user,
    scope: code.scope,
    accessTokens: new Map(),
    refreshToken: '',
    refreshEndsAt: 0,
    usedRefreshTokens: new Set(),
    ending: null,
  }
  zoom.grants.push(grant)
  return issue(zoom, grant, call)
}

/** RFC 7636. The challenge may end with `=`: developers.zoom.us/blog/pcke-oauth-with-postman-rest-api */
function isVerified(challenge: string | null, method: string, verifier: string | null): boolean {
  if (challenge === null) return true
  if (verifier === null) return false
  const made = method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  return made === challenge.replace(/=+$/, '')
}

/**
 * Each refresh makes a new refresh token, and the one before becomes «Invalid Token!»: of two refreshes at once the second fails,
 * and a lost answer ends the grant. devsupport.zoom.us/hc/en-us/articles/360060332931,
 * devforum.zoom.us/t/how-to-protect-against-losing-refresh-token-response/10375,
 * devforum.zoom.us/t/refresh-token-workflow-for-multi-tenant-apps/79405. Tokens before version 8 were tolerant:
 * developers.zoom.us/docs/integrations/oauth-error-messages (4740).
 */
function refresh(zoom: Zoom, call: Call, parameters: URLSearchParams): Reply {
  const given = parameters.get('refresh_token') ?? ''
  const used = zoom.grants.find((grant) => grant.usedRefreshTokens.has(given))
  if (used && used.ending === null && zoom.settings.reusedRefreshToken === 'ends the grant')
    used.ending = 'reused'
  const grant = zoom.grants.find(({ refreshToken }) => refreshToken !== '' && refreshToken === given)
  if (!grant) return refuseToken('invalid_grant', 'Invalid Token!')
  if (grant.ending !== null) return refuseToken('invalid_grant', REASONS[grant.ending])
  if (grant.refreshEndsAt <= call.now) return refuseToken('invalid_grant', REASONS.expired)
  grant.usedRefreshTokens.add(given)
  return issue(zoom, grant, call)
}

/** developers.zoom.us/docs/integrations/oauth-error-messages: 4735, 4738; all else is seen as «Invalid Token!». */
const REASONS: Readonly<Record<Ending, string>> = {
  'consented again': 'Invalid Token!',
  revoked: 'Invalid Token!',
  expired: 'Invalid Token!',
  reused: 'Invalid Token!',
  removed: 'The owner of the token does not exist.',
  disabled: 'The token is disabled by admin.',
}

const LIFETIME_SECONDS = 3600
/** From the last renewal on. */
const REFRESH_DAYS = 90

function issue(zoom: Zoom, grant: Grant, { now, base }: Call): Reply {
  // «If you generate a new token, the previous token will be invalidated … similar to our regular OAuth tokens»:
  // devforum.zoom.us/t/server-to-server-oauth-annoying-token-invalidation/72070
  for (const token of grant.accessTokens.keys()) grant.accessTokens.set(token, 0)
  const accessToken = makeToken(zoom, grant.user, 0, now, LIFETIME_SECONDS)
  grant.accessTokens.set(accessToken, now + LIFETIME_SECONDS * 1000)
  grant.refreshEndsAt = now + REFRESH_DAYS * DAY_MS
  grant.refreshToken = makeToken(zoom, grant.user, 1, now, REFRESH_DAYS * 86_400)
  return {
    status: 200,
    json: {
      access_token: accessToken,
      token_type: 'bearer',
      refresh_token: grant.refreshToken,
      expires_in: LIFETIME_SECONDS - 1,
      scope: grant.scope,
      api_url: base,
    },
  }
}

/** Long, and looks like a JWT: devforum.zoom.us/t/deauthorization-endpoint-and-expectation/43170 */
function makeToken(zoom: Zoom, user: User, type: 0 | 1, now: number, seconds: number): string {
  const issuedAt = Math.floor(now / 1000)
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const head = { sv: '000002', alg: 'HS512', v: '2.0', kid: randomId() }
  const claims = {
    auid: randomId(),
    iss: `zm:cid:${zoom.registration.clientId}`,
    type,
    aud: 'https://oauth.zoom.us',
    uid: user.id,
    aid: user.accountId,
    nbf: issuedAt,
    iat: issuedAt,
    exp: issuedAt + seconds,
    ver: 10,
    jti: randomId(),
  }
  return `${part(head)}.${part(claims)}.${randomBytes(64).toString('base64url')}`
}
