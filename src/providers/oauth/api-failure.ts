import { CalendarError } from '../calendar/calendar-client.ts'
import { retryAfterOf } from './retry-after.ts'

/** Google gives its limits the status of a refusal: https://developers.google.com/workspace/calendar/api/guides/errors */
const LIMIT_REASON = /^(userR|r)ateLimitExceeded|quotaExceeded|^calendarUsageLimitsExceeded/

/** The failure of a status, in words for the owner of the account. */
export function apiFailure(title: string, status: number, headers: Headers, json: unknown): CalendarError {
  if (status === 401)
    return new CalendarError('revoked', `${title} no longer grants access; connect once more.`)
  if (status === 429 || status >= 500 || (status === 403 && isLimit(json))) {
    return new CalendarError(
      'unavailable',
      `${title} asks to try again later (status ${status}).`,
      retryAfterOf(headers),
    )
  }
  if (status === 403) return new CalendarError('refused', `${title} does not permit this to the account.`)
  return new CalendarError('unusable', `${title} refused the request (status ${status}).`)
}

function isLimit(json: unknown): boolean {
  const errors = (json as { error?: { errors?: unknown } } | null | undefined)?.error?.errors
  return (
    Array.isArray(errors) &&
    errors.some((one: { reason?: unknown } | null) => LIMIT_REASON.test(String(one?.reason)))
  )
}
