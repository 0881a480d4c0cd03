import { ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi'
import { CalendarError } from '../calendar/calendar-client.ts'
import type { OAuthConfig } from './oauth-config.ts'
import { retryAfterOf } from './retry-after.ts'

/** Throws when the server asks to try later. */
export function assertAvailable({ title }: OAuthConfig, { status, headers }: Response): void {
  if (status !== 429 && status < 500) return
  throw new CalendarError('unavailable', `${title} answered with status ${status}.`, retryAfterOf(headers))
}

/** The fault is in this service's registration, and nobody but its operator can mend it. */
const OF_REGISTRATION = ['invalid_client', 'unauthorized_client', 'deleted_client', 'disabled_client']

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
  const { reason, suberror } = error.cause as { readonly reason?: unknown; readonly suberror?: unknown }
  const said = `${error.error_description ?? ''} ${String(reason ?? '')}`
  if (kind === 'exchange') {
    return new CalendarError('refused', `${title} does not accept the authorization; connect once more.`)
  }
  // Zoom calls a refresh token that it no longer takes an invalid request.
  const hasEnded = error.error === 'invalid_grant' || /invalid token/i.test(said)
  // Microsoft refuses so where an organization does not let this place or this moment in; the permission stands.
  if (!hasEnded || suberror === 'message_only') {
    return new CalendarError('refused', `${title} does not renew the access.`)
  }
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
