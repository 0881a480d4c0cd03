import { createHash } from 'node:crypto'
import type { Call, Json, Reply } from '../world.ts'
import { checkClient } from './check-client.ts'
import { endGrant, grantIsLive, liveGrants } from './end-grants.ts'
import { makeToken } from './make-ids.ts'
import { refuseOAuth } from './refuse.ts'
import type { Code, Grant, State } from './state.ts'

const bad = (description = 'Bad Request') => refuseOAuth(400, 'invalid_grant', description)

/** `POST /token`: developers.google.com/identity/protocols/oauth2/web-server#exchange-authorization-code and #offline. */
export function giveTokens(state: State, call: Call): Reply {
  if (!(call.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) {
    throw refuseOAuth(400, 'invalid_request', 'Bad Request')
  }
  const form = new URLSearchParams(call.body)
  const type = form.get('grant_type')
  if (!type) throw refuseOAuth(400, 'invalid_request', 'Missing required parameter: grant_type')
  if (type !== 'authorization_code' && type !== 'refresh_token') {
    throw refuseOAuth(400, 'unsupported_grant_type', `Invalid grant_type: ${type}`)
  }
  checkClient(state, call, form)
  return type === 'authorization_code' ? exchangeCode(state, call, form) : refresh(state, call, form)
}

function exchangeCode(state: State, call: Call, form: URLSearchParams): Reply {
  const text = form.get('code')
  if (!text) throw refuseOAuth(400, 'invalid_request', 'Missing required parameter: code')
  if (!text.startsWith('4/')) throw bad('Malformed auth code.')
  const code = state.codes.get(text)
  if (!code || code.isUsed || code.expiresAt <= call.now) throw bad()
  // googleapis/google-auth-library-nodejs#2028 and others: a code is spent by a wrong exchange as well.
  code.isUsed = true
  const redirectUri = form.get('redirect_uri')
  if (!redirectUri) throw refuseOAuth(400, 'invalid_request', 'Missing parameter: redirect_uri')
  if (redirectUri !== code.redirectUri) throw refuseOAuth(400, 'redirect_uri_mismatch', 'Bad Request')
  checkVerifier(code, form.get('code_verifier'))
  const { grant } = code
  state.grants.push(grant)
  if (code.isOffline) giveRefreshToken(state, grant, call.now)
  return answer(state, grant, call.now, {
    ...(grant.refreshToken !== null && { refresh_token: grant.refreshToken }),
  })
}

/** googleapis/google-auth-library-python-oauthlib#64, googleapis/google-api-java-client#1479, onaio/onadata#3068. */
function checkVerifier({ challenge, challengeMethod }: Code, verifier: string | null): void {
  if (challenge === null) {
    if (verifier !== null) throw bad('code_verifier or verifier is not needed.')
    return
  }
  if (!verifier) throw bad('Missing code verifier.')
  const made =
    challengeMethod === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  if (made !== challenge) throw bad('Invalid code verifier.')
}

/** developers.google.com/identity/protocols/oauth2#expiration: past the limit the oldest ends without a word. */
function giveRefreshToken(state: State, grant: Grant, now: number): void {
  grant.refreshToken = makeToken('1//0', 60)
  const live = liveGrants(state, grant.mail, grant.clientId, now).filter((one) => one.refreshToken !== null)
  for (const one of live.slice(0, Math.max(0, live.length - state.settings.refreshTokensPerAccount))) {
    endGrant(one, 'revoked')
  }
}

function refresh(state: State, call: Call, form: URLSearchParams): Reply {
  const text = form.get('refresh_token')
  if (!text) throw refuseOAuth(400, 'invalid_request', 'Missing required parameter: refresh_token')
  const grant = state.grants.find(({ refreshToken }) => refreshToken === text)
  if (!grant) throw bad()
  if (grant.clientId !== state.registration.clientId) {
    throw refuseOAuth(401, 'unauthorized_client', 'Unauthorized')
  }
  if (!grantIsLive(grant, call.now)) throw endedAs(grant)
  // developers.google.com/identity/protocols/oauth2/web-server#offline: an administrator may bar the app later.
  if (state.registration.consent === 'admin_policy_enforced') {
    throw refuseOAuth(
      400,
      'admin_policy_enforced',
      'Access to your account data is restricted by policies within your organization.',
    )
  }
  const narrowed = form.get('scope')?.split(' ').filter(Boolean)
  if (narrowed?.some((scope) => !grant.scopes.includes(scope))) {
    throw refuseOAuth(400, 'invalid_scope', 'Some requested scopes were invalid.')
  }
  return answer(state, grant, call.now, {})
}

/** One text for a withdrawn grant and an expired one: clients cannot know which. */
function endedAs({ ended }: Grant) {
  switch (ended) {
    case 'removed':
      return bad('The account has been deleted')
    case 'reauth':
      // support.google.com/a/answer/9368756: sessions of an organization end.
      return refuseOAuth(400, 'invalid_grant', 'reauth related error (invalid_rapt)', {
        error_uri: 'https://support.google.com/a/answer/9368756',
        error_subtype: 'invalid_rapt',
      })
    default:
      return bad('Token has been expired or revoked.')
  }
}

/** An hour, which Google says as 3599 seconds. */
const LIFETIME_SECONDS = 3599

function answer(state: State, grant: Grant, now: number, more: Json): Reply {
  const token = makeToken('ya29.a0', 120)
  state.tokens.set(token, { grant, expiresAt: now + LIFETIME_SECONDS * 1000 })
  return {
    status: 200,
    json: {
      access_token: token,
      expires_in: LIFETIME_SECONDS,
      ...more,
      scope: grant.scopes.join(' '),
      token_type: 'Bearer',
      // For grants that expire, such as those of an app in testing.
      ...(grant.endsAt !== null &&
        grant.refreshToken !== null && {
          refresh_token_expires_in: Math.floor((grant.endsAt - now) / 1000),
        }),
    },
    headers: { 'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate', Pragma: 'no-cache' },
  }
}
