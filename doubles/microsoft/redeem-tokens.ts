import { createHash } from 'node:crypto'
import type { Call, Json, Reply } from '../world.ts'
import { refuseClient } from './authenticate-client.ts'
import { missing } from './authorize.ts'
import { LOGIN_HEADERS, type LoginError, refuseLogin } from './login-error.ts'
import {
  makeAccessToken,
  makeGrant,
  makeIdToken,
  makeRefreshToken,
  TOKEN_LIFETIME_SECONDS,
} from './make-tokens.ts'
import { refuseConsent } from './refuse-consent.ts'
import { refuseRefresh } from './refuse-refresh.ts'
import { consentable, readScopes, scopeOf, tellScopes } from './scopes.ts'
import type { Code, Grant, State } from './state.ts'

const invalidGrant = (code: number, message: string): LoginError => ({
  error: 'invalid_grant',
  code,
  message,
})

/** learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow#redeem-a-code-for-an-access-token */
export function redeem(state: State, call: Call): Reply {
  const isForm = (call.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  const form = new URLSearchParams(isForm ? call.body : '')
  const answer = redeemForm(state, call, form)
  return isError(answer)
    ? refuseLogin(answer, call.now)
    : { status: 200, json: answer, headers: LOGIN_HEADERS }
}

type Tokens = { readonly access_token: string } & Json

const isError = (answer: Tokens | LoginError): answer is LoginError => !('access_token' in answer)

function redeemForm(state: State, call: Call, form: URLSearchParams): Tokens | LoginError {
  const type = form.get('grant_type')
  if (!type) return missing('grant_type')
  const refused = refuseClient(state, call, form)
  if (refused) return refused
  if (type === 'authorization_code') return redeemCode(state, call, form)
  if (type === 'refresh_token') return refresh(state, form)
  return {
    error: 'unsupported_grant_type',
    code: 70003,
    message: `The app requested an unsupported grant type '${type}'.`,
  }
}

function refuseCode(code: Code | undefined, call: Call, form: URLSearchParams): LoginError | null {
  if (!code) return invalidGrant(9002313, 'Invalid request. Request is malformed or invalid.')
  if (code.isUsed) {
    return invalidGrant(
      54005,
      'OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.',
    )
  }
  if (code.expiresMs <= call.now) {
    return code.account.settings.kind === 'personal'
      ? invalidGrant(70000, "The provided value for the 'code' parameter is not valid. The code has expired.")
      : invalidGrant(
          70008,
          'The provided authorization code or refresh token has expired due to inactivity. Send a new interactive authorization request for this user and resource.',
        )
  }
  if (form.get('redirect_uri') !== code.redirectUri) {
    return invalidGrant(
      500112,
      `The reply address '${form.get('redirect_uri') ?? ''}' does not match the reply address '${code.redirectUri}' provided when requesting Authorization code.`,
    )
  }
  const verifier = form.get('code_verifier') ?? ''
  const answer = code.method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  if (code.challenge !== null && answer !== code.challenge) {
    return invalidGrant(
      501481,
      'The Code_Verifier does not match the code_challenge supplied in the authorization request.',
    )
  }
  return null
}

function redeemCode(state: State, call: Call, form: URLSearchParams): Tokens | LoginError {
  if (!form.get('code')) return missing('code')
  const code = state.codes.get(form.get('code')!)
  const refused = refuseCode(code, call, form)
  if (refused) return refused
  code!.isUsed = true
  const grant = makeGrant(state, code!.account, code!.scopes)
  return answer(state, grant, form, code!.nonce)
}

/**
 * Every use brings another refresh token, and those before it stay valid for as long as they would have.
 * learn.microsoft.com/entra/identity-platform/refresh-tokens
 */
function refresh(state: State, form: URLSearchParams): Tokens | LoginError {
  const said = form.get('refresh_token')
  if (!said) return missing('refresh_token')
  const token = state.refreshTokens.get(said)
  if (!token) {
    return invalidGrant(9002313, 'Invalid request. Request is malformed or invalid.')
  }
  return refuseRefresh(state, token) ?? answer(state, token.grant, form, null)
}

/** `scope` may ask for less than was granted; more needs a consent that nobody can give here. */
function answer(
  state: State,
  grant: Grant,
  form: URLSearchParams,
  nonce: string | null,
): Tokens | LoginError {
  const { account } = grant
  const wanted = form.get('scope') ? readScopes(form.get('scope')!) : grant.scopes
  const granted = new Set(grant.scopes.map(scopeOf))
  const scopes = state.settings.grantedScope === null || form.get('scope') === null ? wanted : grant.scopes
  const more = consentable(scopes).filter((scope) => scope !== '.default' && !granted.has(scope))
  if (more.length > 0) {
    const isPersonal = account.settings.kind === 'personal'
    const isConsented = more.every(
      (scope) => account.consented.has(scope) || account.tenant.consented.has(scope),
    )
    if (isPersonal || !isConsented || refuseConsent(account, more, false)) {
      return isPersonal
        ? invalidGrant(
            70000,
            'The request was denied because one or more scopes requested are unauthorized or expired. The user must first sign in and grant the client application access to the requested scope.',
          )
        : {
            ...invalidGrant(
              65001,
              `The user or administrator has not consented to use the application with ID '${state.registration.clientId}' named 'Holdfast'. Send an interactive authorization request for this user and resource.`,
            ),
            suberror: 'consent_required',
          }
    }
  }
  const shown = scopes.filter((said) => scopeOf(said) !== null)
  return {
    token_type: 'Bearer',
    scope: tellScopes(shown),
    expires_in: TOKEN_LIFETIME_SECONDS,
    ext_expires_in: TOKEN_LIFETIME_SECONDS,
    access_token: makeAccessToken(state, grant, shown).token,
    // A refresh token is for those who asked for `offline_access`, an id token for those who asked for `openid`.
    ...(granted.has('offline_access') && { refresh_token: makeRefreshToken(state, grant).token }),
    ...(granted.has('openid') && { id_token: makeIdToken(state, account, grant.scopes, nonce) }),
  }
}
