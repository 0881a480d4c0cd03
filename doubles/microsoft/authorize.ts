import type { Call, Reply } from '../world.ts'
import { accountOf, isPersonalTenant } from './accounts.ts'
import { clientError } from './authenticate-client.ts'
import { askConsent, showNeedForAdministrator } from './consent-page.ts'
import { describe, type LoginError, showError } from './login-error.ts'
import { makeCode } from './make-tokens.ts'
import { refuseConsent } from './refuse-consent.ts'
import { refuseSignIn } from './refuse-sign-in.ts'
import { consentable, isWorkOnly, readScopes, scopeOf } from './scopes.ts'
import { type Back, sendBack } from './send-back.ts'
import type { Account, State } from './state.ts'

/** learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow */

export const missing = (name: string): LoginError => ({
  error: 'invalid_request',
  code: 900144,
  message: `The request body must contain the following parameter: '${name}'.`,
})

/** It must be one of those that are registered; without a list any on this machine and any https is. */
export function refuseRedirect(state: State, uri: string | null): LoginError | null {
  if (!uri) return missing('redirect_uri')
  const { redirectUris } = state.registration
  const isTaken = redirectUris
    ? redirectUris.includes(uri)
    : URL.canParse(uri) &&
      (new URL(uri).protocol === 'https:' || ['localhost', '127.0.0.1'].includes(new URL(uri).hostname))
  if (isTaken && !uri.includes('#')) return null
  return {
    error: 'invalid_request',
    code: 50011,
    message: `The redirect URI '${uri}' specified in the request does not match the redirect URIs configured for the application '${state.registration.clientId}'. Make sure the redirect URI sent in the request matches one added to your application in the Azure portal.`,
  }
}

function readRequest(state: State, call: Call): { back: Back; clientId: string } | LoginError {
  const { query } = call
  const clientId = query.get('client_id')
  if (!clientId) return missing('client_id')
  const refused = clientError(state, clientId) ?? refuseRedirect(state, query.get('redirect_uri'))
  if (refused) return refused
  if ((query.get('response_mode') ?? 'query') !== 'query') {
    return {
      error: 'invalid_request',
      code: 900143,
      message: `The provided value for 'response_mode' is not valid.`,
    }
  }
  return { back: { uri: query.get('redirect_uri')!, state: query.get('state') }, clientId }
}

const told = (call: Call, error: LoginError, more: Record<string, string> = {}): Record<string, string> => ({
  error: error.error,
  ...more,
  error_description: describe(error, call.now),
  error_uri: `https://login.microsoftonline.com/error?code=${error.code}`,
})

/** What is sent back to the app at once: a request that nobody could consent to. */
function refuseRequest({ query }: Call): LoginError | null {
  const type = query.get('response_type')
  if (!type) return missing('response_type')
  if (type !== 'code') {
    return {
      error: 'unsupported_response_type',
      code: 700054,
      message: `response_type '${type}' is not enabled for the application.`,
    }
  }
  if (!query.get('scope')) return missing('scope')
  const method = query.get('code_challenge_method')
  const challenge = query.get('code_challenge')
  if (method && !challenge) return missing('code_challenge')
  if (method && !['S256', 'plain'].includes(method)) {
    return { error: 'invalid_request', code: 501481, message: 'The code_challenge_method is not supported.' }
  }
  if (challenge && !/^[\w.~-]{43,128}$/.test(challenge)) {
    return { error: 'invalid_request', code: 501491, message: 'Invalid size of Code_Challenge parameter.' }
  }
  return null
}

function refuseScopes(account: Account, scopes: readonly string[]): LoginError | null {
  const unknown = scopes.find((said) => scopeOf(said) === null)
  const isPersonal = account.settings.kind === 'personal'
  const lacking = isPersonal ? scopes.find((said) => isWorkOnly(scopeOf(said) ?? said)) : undefined
  if (isPersonal && (unknown ?? lacking)) {
    return {
      error: 'invalid_scope',
      code: 70011,
      message: `The provided value for the input parameter 'scope' is not valid. The scope '${unknown ?? lacking}' does not exist or is not configured for personal accounts.`,
    }
  }
  if (!unknown) return null
  return {
    error: 'invalid_client',
    code: 650053,
    message: `The application 'Holdfast' asked for scope '${unknown}' that doesn't exist on the resource '00000003-0000-0000-c000-000000000000'. Contact the app vendor.`,
  }
}

const DECLINED: LoginError = {
  error: 'access_denied',
  code: 65004,
  message: 'User declined to consent to access the app.',
}

export function authorize(state: State, tenant: string, call: Call): Reply {
  const request = readRequest(state, call)
  if ('error' in request) return showError(request, call.now)
  const { back } = request
  const refused = refuseRequest(call)
  if (refused) return sendBack(back, told(call, refused))
  const { query } = call
  const as = query.get('as')
  const scopes = readScopes(query.get('scope')!)
  if (query.get('deny') === '1') {
    // Seen with and without `error_subcode`: PuzzleServer/mainpuzzleserver#571
    const error = DECLINED
    return sendBack(
      back,
      told(call, error, error.error === 'access_denied' ? { error_subcode: 'cancel' } : {}),
    )
  }
  if (as === null) {
    if (query.get('prompt') !== 'none') return askConsent(state, call, scopes)
    const silent = {
      error: 'login_required',
      code: 50058,
      message: 'A silent sign-in request was sent but no user is signed in.',
    }
    return sendBack(back, told(call, silent))
  }
  const account = accountOf(state, as)
  const stopped = refuseSignIn(state, account, tenant)
  if (stopped) return showError(stopped, call.now)
  const wrong = refuseScopes(account, scopes)
  if (wrong) return sendBack(back, told(call, wrong))
  const unconsented = refuseConsent(account, scopes, query.get('prompt') === 'consent')
  if (unconsented) {
    const isSilent = account.settings.userConsent === 'silent'
    // Some of the ways back from the page for administrators look like a plain decline.
    const answer = isSilent ? { error: 'access_denied', error_subcode: 'cancel' } : told(call, unconsented)
    if (query.get('page') === '1') return showNeedForAdministrator(account, back, answer)
    return sendBack(back, answer)
  }
  for (const scope of consentable(scopes)) account.consented.add(scope)
  const code = makeCode(state, account, scopes, call)
  return sendBack(back, { code, ...(isPersonalTenant(account.tenant) ? {} : { session_state: account.id }) })
}
