import { ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi'
import { CalendarError } from '../calendar/calendar-client.ts'
import type { OAuthConfig } from './oauth-config.ts'
import { retryAfterOf } from './retry-after.ts'

/** Throws when the server asks to try later. */
export function assertAvailable({ title }: OAuthConfig, { status, headers }: Response): void {
  if (status !== 429 && status < 500) return
  throw new CalendarError('unavailable', `${title} answered with status ${status}.`, retryAfterOf(headers))
}

/** A token endpoint's refusal (RFC 6749, section 5.2) in words for the owner of the account. */
export function tokenFailure(
  { title }: OAuthConfig,
  kind: 'exchange' | 'refresh',
  error: unknown,
): CalendarError {
  if (error instanceof WWWAuthenticateChallengeError) {
    return new CalendarError('refused', `${title} does not accept this service's client credentials.`)
  }
  if (!(error instanceof ResponseBodyError)) return unanswered(title, error)
  const said = `${error.error_description ?? ''} ${String(error.cause.reason ?? '')}`
  if (error.error === 'invalid_client' || error.error === 'unauthorized_client') {
    return new CalendarError('refused', `${title} does not accept this service's client credentials.`)
  }
  if (kind === 'exchange') {
    return new CalendarError('refused', `${title} does not accept the authorization; connect once more.`)
  }
  // Zoom calls a refresh token that it no longer takes an invalid request.
  if (error.error !== 'invalid_grant' && !/invalid token/i.test(said)) {
    return new CalendarError('refused', `${title} does not renew the access.`)
  }
  // Google says "expired or revoked" for both, Microsoft "expired due to it being revoked".
  const isExpired = /expired/i.test(said) && !/revoked/i.test(said)
  return isExpired
    ? new CalendarError('expired', `The access to ${title} expired; connect once more.`)
    : new CalendarError('revoked', `The access to ${title} was withdrawn; connect once more.`)
}

function unanswered(title: string, error: unknown): CalendarError {
  const isNonsense = error instanceof Error && 'code' in error && String(error.code).startsWith('OAUTH_')
  return isNonsense
    ? new CalendarError('unusable', `${title} gave an answer that cannot be understood.`)
    : new CalendarError('unavailable', `${title} did not answer.`)
}
