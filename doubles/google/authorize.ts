import type { Call, Reply } from '../world.ts'
import { accountOf } from './accounts.ts'
import { showAuthorizationError, showConsent } from './consent-page.ts'
import { liveGrants } from './end-grants.ts'
import { makeToken } from './make-ids.ts'
import { pretendAccounts } from './pretend-accounts.ts'
import { readScopes, signInScopes } from './scopes.ts'
import type { Grant, State } from './state.ts'

type Asked = {
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string | null
}

/**
 * `GET /o/oauth2/v2/auth`: developers.google.com/identity/protocols/oauth2/web-server#creatingclient.
 * Shortcuts of the double: `as=<mail>` answers at once for that account, `deny=1` for somebody who cancels.
 */
export function authorize(state: State, call: Call): Reply {
  const { query } = call
  const asked = readAsked(state, query)
  if ('status' in asked) return asked
  if (query.get('deny')) return redirect(asked, { error: 'access_denied' })
  const mail = query.get('as')
  const isSilent = query.get('prompt') === 'none'
  if (isSilent && !mail) return redirect(asked, { error: 'interaction_required' })
  if (!mail) {
    const known = [...state.accounts.values()].filter(({ isRemoved }) => !isRemoved)
    return showConsent(query, asked.scopes, known.length ? known : pretendAccounts)
  }
  return checkPolicy(state, mail.toLowerCase(), asked) ?? consent(state, call, mail.toLowerCase(), asked)
}

/** What is wrong before anybody is asked is shown to the person, never sent to the app. */
function readAsked(state: State, query: URLSearchParams): Asked | Reply {
  const { registration } = state
  const clientId = query.get('client_id')
  if (!clientId)
    return showAuthorizationError(400, 'invalid_request', 'Missing required parameter: client_id')
  const isClient = clientId === registration.clientId && registration.client !== 'unknown'
  if (!isClient) return showAuthorizationError(401, 'invalid_client', 'The OAuth client was not found.')
  if (registration.client.startsWith('deleted')) {
    return showAuthorizationError(401, 'deleted_client', 'The OAuth client was deleted.')
  }
  if (registration.client === 'disabled') {
    return showAuthorizationError(401, 'disabled_client', 'The OAuth client was disabled.')
  }
  const redirectUri = query.get('redirect_uri')
  if (!redirectUri)
    return showAuthorizationError(400, 'invalid_request', 'Missing required parameter: redirect_uri')
  if (!isRedirectAllowed(registration.redirectUris, redirectUri)) {
    const text = `You can't sign in because this app sent an invalid request: redirect_uri=${redirectUri}`
    return showAuthorizationError(400, 'redirect_uri_mismatch', text)
  }
  const wrong = wrongParameter(query)
  if (wrong) return showAuthorizationError(400, ...wrong)
  const { scopes, unknown } = readScopes(query.get('scope') ?? '')
  if (unknown.length) {
    const text = `Some requested scopes were invalid. {invalid=[${unknown.join(', ')}]}`
    return showAuthorizationError(400, 'invalid_scope', text)
  }
  return { redirectUri, scopes, state: query.get('state') }
}

function wrongParameter(query: URLSearchParams): [string, string] | null {
  const one = (name: string, allowed: readonly string[]): [string, string] | null => {
    const value = query.get(name)
    return value === null || allowed.includes(value)
      ? null
      : ['invalid_request', `Invalid parameter value for ${name}: ${value}`]
  }
  if (!query.get('response_type')) return ['invalid_request', 'Required parameter is missing: response_type']
  if (query.get('response_type') !== 'code') {
    return ['unsupported_response_type', `Invalid response_type: ${query.get('response_type')}`]
  }
  if (!query.get('scope')) return ['invalid_request', 'Missing required parameter: scope']
  const challenge = query.get('code_challenge')
  if (challenge !== null && !/^[A-Za-z0-9_-]{43,128}$/.test(challenge)) {
    return [
      'invalid_request',
      'Invalid parameter value for code_challenge: Code challenge must be a base64 encoded string.',
    ]
  }
  if (challenge === null && query.has('code_challenge_method')) {
    return ['invalid_request', 'Missing required parameter: code_challenge']
  }
  const prompts = (query.get('prompt') ?? '').split(' ').filter(Boolean)
  if (prompts.some((prompt) => !['none', 'consent', 'select_account'].includes(prompt))) {
    return ['invalid_request', `Invalid parameter value for prompt: Invalid prompt: ${query.get('prompt')}`]
  }
  return (
    one('access_type', ['online', 'offline']) ??
    one('code_challenge_method', ['plain', 'S256']) ??
    one('include_granted_scopes', ['true', 'false']) ??
    one('enable_granular_consent', ['true', 'false'])
  )
}

/** developers.google.com/identity/protocols/oauth2/web-server#uri-validation: https, but for this machine; no fragment. */
function isRedirectAllowed(registered: readonly string[], uri: string): boolean {
  if (registered.length) return registered.includes(uri)
  if (!URL.canParse(uri)) return false
  const { protocol, hostname, hash } = new URL(uri)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return !hash && !uri.includes('#') && (protocol === 'https:' || (protocol === 'http:' && isHere))
}

function checkPolicy(state: State, mail: string, asked: Asked): Reply | null {
  const { consent: policy, publishing, testUsers } = state.registration
  const refuse = (status: number, error: string, text: string) =>
    state.settings.arePolicyErrorsRedirected
      ? redirect(asked, { error })
      : showAuthorizationError(status, error, text)
  if (policy === 'admin_policy_enforced') {
    return refuse(
      400,
      policy,
      'Access to your account data is restricted by policies within your organization.',
    )
  }
  if (policy === 'org_internal') {
    return refuse(403, policy, 'This app is restricted to users within its organization.')
  }
  // support.google.com/cloud/answer/10311615: an app in testing is open to its listed test users.
  if (publishing === 'testing' && testUsers && !testUsers.includes(mail)) {
    return refuse(
      403,
      'access_denied',
      'This app has not completed the Google verification process. It is being tested and can only be accessed by developer-approved testers.',
    )
  }
  return null
}

function consent(state: State, call: Call, mail: string, asked: Asked): Reply {
  const { query, now } = call
  const account = accountOf(state, mail)
  account.isRemoved = false
  const clientId = state.registration.clientId
  const before = liveGrants(state, mail, clientId, now)
  const had = new Set(before.flatMap(({ scopes }) => scopes))
  const isAsked = query.get('prompt')?.includes('consent') || !asked.scopes.every((scope) => had.has(scope))
  const ticked = isAsked ? tickedScopes(state, query, asked.scopes) : asked.scopes
  if (!ticked.length) return redirect(asked, { error: 'access_denied' })
  const isIncremental = query.get('include_granted_scopes') === 'true'
  const scopes = [...new Set([...ticked, ...(isIncremental ? had : [])])]
  const { publishing } = state.registration
  const endsAt =
    publishing === 'testing' && scopes.some((scope) => !signInScopes.includes(scope))
      ? now + 7 * 86_400_000
      : null
  const grant: Grant = {
    id: makeToken('grant_', 9),
    mail,
    clientId,
    scopes,
    refreshToken: null,
    madeAt: now,
    endsAt,
    ended: null,
  }
  const code = makeToken('4/0A', 45)
  state.codes.set(code, {
    grant,
    redirectUri: asked.redirectUri,
    challenge: query.get('code_challenge'),
    challengeMethod: query.get('code_challenge_method') ?? 'plain',
    // A refresh token comes with offline access and a consent that was really given, not each time somebody returns.
    isOffline: query.get('access_type') === 'offline' && Boolean(isAsked),
    expiresAt: now + 600_000,
    isUsed: false,
  })
  const { issuer } = state.settings
  return redirect(asked, {
    ...(issuer !== null && { iss: issuer }),
    code,
    scope: scopes.join(' '),
    authuser: '0',
    prompt: isAsked ? 'consent' : 'none',
  })
}

/**
 * People untick what they like: developers.google.com/identity/protocols/oauth2/resources/granular-permissions.
 * What only signs in cannot be unticked.
 */
function tickedScopes(state: State, query: URLSearchParams, asked: readonly string[]): string[] {
  const { grantedScope } = state.settings
  const isForm = query.get('form') === '1'
  const wanted = isForm ? query.getAll('granted') : grantedScope === 'all' ? asked : grantedScope
  return asked.filter((scope) => wanted.includes(scope) || signInScopes.includes(scope))
}

function redirect({ redirectUri, state }: Asked, answer: Record<string, string>): Reply {
  const url = new URL(redirectUri)
  if (state !== null) url.searchParams.set('state', state)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return { status: 302, headers: { Location: url.href } }
}
