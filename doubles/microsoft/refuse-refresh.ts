import type { LoginError } from './login-error.ts'
import { newGuid } from './make-ids.ts'
import { REFRESH_TOKEN_DAYS } from './make-tokens.ts'
import { REFRESH_ERRORS } from './settings.ts'
import type { State, Token } from './state.ts'

const day = (ms: number) => `${new Date(ms).toISOString().slice(0, 23)}0000Z`

const MESSAGES: Record<string, string> = {
  AADSTS53003:
    'Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.',
  AADSTS50076:
    "Due to a configuration change made by your administrator, or because you moved to a new location, you must use multi-factor authentication to access '00000003-0000-0000-c000-000000000000'.",
  AADSTS50079:
    'Due to a configuration change made by your administrator, or because you moved to a new location, you must enroll in multi-factor authentication.',
  AADSTS50020:
    'The user account does not exist in the tenant and cannot access the application in that tenant.',
  AADSTS50057: 'The user account is disabled.',
  AADSTS65001:
    'The user or administrator has not consented to use the application. Send an interactive authorization request for this user and resource.',
  AADSTS70000:
    'The request was denied because one or more scopes requested are unauthorized or expired. The user must first sign in and grant the client application access to the requested scope.',
  AADSTS70008:
    'The provided authorization code or refresh token has expired due to inactivity. Send a new interactive authorization request for this user and resource.',
  AADSTS70043:
    'The refresh token has expired or is invalid due to sign-in frequency checks by conditional access.',
  AADSTS90033: 'A transient error has occurred. Please try again.',
}

function expired(token: Token, days: number): LoginError {
  const isPersonal = token.grant.account.settings.kind === 'personal'
  return isPersonal
    ? {
        error: 'invalid_grant',
        code: 70000,
        message: 'The user could not be authenticated as the grant is expired. The user must sign in again.',
      }
    : {
        error: 'invalid_grant',
        code: 700082,
        message: `The refresh token has expired due to inactivity. The token was issued on ${day(token.issuedMs)} and was inactive for ${days}.00:00:00.`,
      }
}

function named(code: keyof typeof REFRESH_ERRORS, token: Token, nowMs: number): LoginError {
  const { error, suberror, code: number } = REFRESH_ERRORS[code]
  const message =
    code === 'AADSTS50173'
      ? `The provided grant has expired due to it being revoked, a fresh auth token is needed. The user might have changed or reset their password. The grant was issued on '${day(token.issuedMs)}' and the TokensValidFrom date (before which tokens are not valid) for this user is '${day(nowMs)}'.`
      : code === 'AADSTS700082'
        ? expired(token, 90).message
        : MESSAGES[code]!
  const isChallenge = ['AADSTS53003', 'AADSTS50076', 'AADSTS50079'].includes(code)
  const claims = isChallenge
    ? JSON.stringify({ access_token: { capolids: { essential: true, values: [newGuid()] } } })
    : null
  return { error, code: number, message, suberror, claims }
}

/** What is wrong with a refresh token, or null; each grant ends in its own manner. */
export function refuseRefresh(state: State, token: Token): LoginError | null {
  const { grant } = token
  const { refreshError, kind } = grant.account.settings
  const nowMs = state.frame.now()
  if (refreshError !== 'none') return named(refreshError, token, nowMs)
  switch (grant.state) {
    case 'expired':
      return expired(token, REFRESH_TOKEN_DAYS)
    // A password changed, sessions ended: personal accounts know one answer for all of it.
    case 'revoked':
      return named(kind === 'personal' ? 'AADSTS70000' : 'AADSTS50173', token, nowMs)
    // The app was taken out of the account's list of apps, or out of the organization's.
    case 'removed':
      return named(kind === 'personal' ? 'AADSTS70000' : 'AADSTS65001', token, nowMs)
    default:
      return token.expiresMs <= nowMs ? expired(token, REFRESH_TOKEN_DAYS) : null
  }
}
