import type { Call } from '../world.ts'
import { grantIsLive } from './end-grants.ts'
import { notFound, type Refusal, refuse, refuseAtFront } from './refuse.ts'
import { scopesOf } from './scopes.ts'
import type { PlannedRefusal } from './settings.ts'
import type { Account, Grant, State } from './state.ts'

export type Caller = { readonly account: Account; readonly grant: Grant }

const realm = 'Bearer realm="https://accounts.google.com/"'
const help =
  'Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'

/**
 * Whether a call of the API may go on, in the order in which Google looks: the token, the project, the scopes, the quota.
 * Throws what is answered otherwise.
 */
export function checkAccess(state: State, call: Call, method: string): Caller {
  const planned = takePlanned(state, `${call.method} ${call.path}`)
  const token = tokenOf(call)
  if (token === null) throw withoutToken()
  const known = state.tokens.get(token)
  const account = known && state.accounts.get(known.grant.mail)
  const isLive = known && known.expiresAt > call.now && grantIsLive(known.grant, call.now)
  if (!account || !isLive || account.isRemoved || planned?.kind === 'authError') throw withBadToken()
  checkProject(state)
  const { grant } = known
  if (!scopesOf(method).some((scope) => grant.scopes.includes(scope))) throw withoutScope(method)
  if (planned) throw refusalOf(planned)
  countCall(state, account.mail, call.now)
  return { account, grant }
}

/** developers.google.com/identity/protocols/oauth2/web-server#callinganapi: the header, or the query of old. */
export function tokenOf(call: Call): string | null {
  const header = /^Bearer (.+)$/i.exec(call.headers.authorization ?? '')
  return header?.[1] ?? call.query.get('access_token') ?? call.query.get('oauth_token')
}

function withoutToken(): Refusal {
  const one = {
    message: 'Login Required.',
    domain: 'global',
    reason: 'required',
    location: 'Authorization',
    locationType: 'header',
  }
  const message = `Request is missing required authentication credential. ${help}`
  return refuseAtFront(401, 'UNAUTHENTICATED', message, one, [], { 'WWW-Authenticate': realm })
}

function withBadToken(): Refusal {
  const one = {
    message: 'Invalid Credentials',
    domain: 'global',
    reason: 'authError',
    location: 'Authorization',
    locationType: 'header',
  }
  const message = `Request had invalid authentication credentials. ${help}`
  return refuseAtFront(401, 'UNAUTHENTICATED', message, one, [], {
    'WWW-Authenticate': `${realm}, error="invalid_token"`,
  })
}

/**
 * An API that nobody switched on, or that somebody switched off: allenporter/gcal_sync#167,
 * taylorwilsdon/google_workspace_mcp#126; the details as in google-gemini/gemini-cli#1343.
 */
function checkProject({ registration: { isApiOn, projectNumber } }: State): void {
  if (isApiOn) return
  const service = 'calendar-json.googleapis.com'
  const page = `https://console.developers.google.com/apis/api/${service}/overview?project=${projectNumber}`
  const message = `Google Calendar API has not been used in project ${projectNumber} before or it is disabled. Enable it by visiting ${page} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`
  const one = {
    message,
    domain: 'usageLimits',
    reason: 'accessNotConfigured',
    extendedHelp: 'https://console.developers.google.com',
  }
  throw refuseAtFront(403, 'PERMISSION_DENIED', message, one, [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'SERVICE_DISABLED',
      domain: 'googleapis.com',
      metadata: {
        service,
        serviceTitle: 'Google Calendar API',
        consumer: `projects/${projectNumber}`,
        containerInfo: projectNumber,
        activationUrl: page,
      },
    },
  ])
}

/** Somebody unticked what the call needs: developers.google.com/identity/protocols/oauth2/resources/granular-permissions. */
function withoutScope(method: string): Refusal {
  const one = { message: 'Insufficient Permission', domain: 'global', reason: 'insufficientPermissions' }
  const detail = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    domain: 'googleapis.com',
    metadata: { service: 'calendar-json.googleapis.com', method: `calendar.v3.${method}` },
  }
  const message = 'Request had insufficient authentication scopes.'
  return refuseAtFront(403, 'PERMISSION_DENIED', message, one, [detail], {
    'WWW-Authenticate': `${realm}, error="insufficient_scope", scope="${scopesOf(method).join(' ')}"`,
  })
}

function takePlanned(state: State, line: string): PlannedRefusal | null {
  const { refusals } = state.settings
  const planned = refusals.find(({ about = '' }) => line.includes(about))
  if (!planned) return null
  if (planned.times !== null) {
    const left = (planned.times ?? 1) - 1
    const refusalsLeft = refusals.flatMap((one) =>
      one !== planned ? [one] : left > 0 ? [{ ...one, times: left }] : [],
    )
    Object.assign(state.settings, { refusals: refusalsLeft })
  }
  return planned
}

/** developers.google.com/workspace/calendar/api/guides/errors: 403 and 429 mean the same. */
function refusalOf({ kind, retryAfterSeconds }: PlannedRefusal): Refusal {
  const about = { domain: 'usageLimits', ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  switch (kind) {
    case 'rateLimitExceeded':
      return refuse(403, 'rateLimitExceeded', 'Rate Limit Exceeded', about)
    case 'tooManyRequests':
      return refuse(429, 'rateLimitExceeded', 'Rate Limit Exceeded', about)
    case 'userRateLimitExceeded':
      return refuse(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded', about)
    case 'dailyLimitExceeded':
      return refuse(403, 'dailyLimitExceeded', 'Daily Limit Exceeded', about)
    case 'quotaExceeded':
      return refuse(403, 'quotaExceeded', 'Calendar usage limits exceeded.', about)
    case 'notFound':
      return notFound()
    case 'backendUnavailable':
      return refuse(503, 'backendError', 'Backend Error', { ...about, domain: 'global' })
    default:
      return refuse(500, 'backendError', 'Backend Error', { ...about, domain: 'global' })
  }
}

/** developers.google.com/workspace/calendar/api/guides/quota: calls of a minute of one person. */
function countCall(state: State, mail: string, now: number): void {
  const limit = state.settings.callsPerMinute
  if (limit === null) return
  const recent = (state.callTimes.get(mail) ?? []).filter((at) => at > now - 60_000)
  state.callTimes.set(mail, [...recent, now])
  if (recent.length >= limit) {
    throw refuse(403, 'rateLimitExceeded', 'Rate Limit Exceeded', { domain: 'usageLimits' })
  }
}
