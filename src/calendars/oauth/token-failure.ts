import { ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { OAuthConfig } from './oauth-config.ts'
import { retryAfterOf } from './retry-after.ts'

/** Throws when the server asks to try later. */
export function assertAvailable({ title }: OAuthConfig, { status, headers }: Response): void {
  if (status !== 429 && status < 500) return
  throw new CalendarError('unavailable', `${title} answered with status ${status}.`, retryAfterOf(headers))
}

/** The fault is in this service's registration, and nobody but its operator can mend it. */
const OF_REGISTRATION = ['invalid_client', 'unauthorized_client', 'deleted_client', 'disabled_client']

/** It is busy, whatever its status. */
const PASSING = ['temporarily_unavailable', 'server_error']

/**
 * Microsoft says so where an organization does not let this place or this moment in, or wants another proof first: the
 * permission stands. https://learn.microsoft.com/entra/msal/dotnet/advanced/exceptions/msal-error-handling
 */
const WANTS_ITS_OWNER = ['message_only', 'basic_action', 'additional_action']

/**
 * A token endpoint's refusal (RFC 6749, section 5.2) in words for the owner of the account. Only `invalid_grant` ends a
 * permission: it is `revoked`, or `expired` where the provider tells these apart.
 */
export function tokenFailure(
  { title }: OAuthConfig,
  kind: 'exchange' | 'refresh',
  error: unknown,
): CalendarError {
  if (error instanceof WWWAuthenticateChallengeError) return misconfigured(title)
  if (!(error instanceof ResponseBodyError)) return unanswered(title, error)
  if (OF_REGISTRATION.includes(error.error)) return misconfigured(title)
  if (PASSING.includes(error.error)) {
    return new CalendarError('unavailable', `${title} asks to try again later.`)
  }
  const { reason, suberror } = error.cause as { readonly reason?: unknown; readonly suberror?: unknown }
  const said = `${error.error_description ?? ''} ${String(reason ?? '')}`
  if (kind === 'exchange') {
    return new CalendarError('refused', `${title} does not accept the authorization; connect once more.`)
  }
  // Zoom calls a refresh token that it no longer takes an invalid request.
  const hasEnded = error.error === 'invalid_grant' || /invalid token/i.test(said)
  if (error.error === 'interaction_required' || WANTS_ITS_OWNER.includes(String(suberror))) {
    const message = `${title} wants the owner of the account to sign in again; if that is not enough, connect once more.`
    return new CalendarError('refused', message)
  }
  if (!hasEnded) return new CalendarError('refused', `${title} does not renew the access.`)
  // Google says "expired or revoked" for both, Microsoft "expired due to it being revoked".
  const isExpired = /expired/i.test(said) && !/revoked/i.test(said)
  return isExpired
    ? new CalendarError('expired', `The access to ${title} expired; connect once more.`)
    : new CalendarError('revoked', `The access to ${title} was withdrawn; connect once more.`)
}

function misconfigured(title: string): CalendarError {
  return new CalendarError('misconfigured', `${title} does not accept this service's registration there.`)
}

function unanswered(title: string, error: unknown): CalendarError {
  const isNonsense = error instanceof Error && 'code' in error && String(error.code).startsWith('OAUTH_')
  return isNonsense
    ? new CalendarError('unusable', `${title} gave an answer that cannot be understood.`)
    : new CalendarError('unavailable', `${title} did not answer.`)
}
