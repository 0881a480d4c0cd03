import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { retryAfterOf } from './retry-after.ts'

/** Google gives its limits the status of a refusal: https://developers.google.com/workspace/calendar/api/guides/errors */
const LIMIT_REASON =
  /^(userRateLimitExceeded|rateLimitExceeded|dailyLimitExceeded|quotaExceeded|calendarUsageLimitsExceeded)/

/** Google's words for an API that is not switched on in the project of the registration. */
const SWITCHED_OFF = ['accessNotConfigured', 'SERVICE_DISABLED']

/**
 * The failure of a status, in words for the owner of the account. A 401 comes here after a good renewal of the tokens,
 * so that the permission stands and only this call was refused: what withdraws it is said when tokens are renewed.
 */
export function apiFailure(title: string, status: number, headers: Headers, json: unknown): CalendarError {
  const reasons = reasonsIn(json)
  if (isQuotaOfProject(reasons, json)) {
    return new CalendarError(
      'misconfigured',
      `The quota of this service's project at ${title} is used up.`,
      retryAfterOf(headers),
    )
  }
  if (status === 429 || status >= 500 || (status === 403 && reasons.some((one) => LIMIT_REASON.test(one)))) {
    return new CalendarError(
      'unavailable',
      `${title} asks to try again later (status ${status}).`,
      retryAfterOf(headers),
      status,
    )
  }
  if (status === 403 && reasons.some((one) => SWITCHED_OFF.includes(one))) {
    return new CalendarError('misconfigured', `The API of ${title} is not switched on for this service.`)
  }
  if (status === 401) return new CalendarError('refused', `${title} does not take the access that it gave.`)
  if (status === 403)
    return new CalendarError('refused', `${title} does not permit this to the account.`, null, status)
  return new CalendarError('unusable', `${title} refused the request (status ${status}).`)
}

/**
 * Whether all accounts of this service together asked too much: by the day, or by the minute and not by the user. Only the operator
 * can request more. https://developers.google.com/workspace/calendar/api/guides/quota
 */
function isQuotaOfProject(reasons: readonly string[], json: unknown): boolean {
  if (reasons.includes('dailyLimitExceeded')) return true
  const { message } = (json as { error?: { message?: unknown } } | null)?.error ?? {}
  const isLimit = reasons.some((one) => LIMIT_REASON.test(one)) && !reasons.includes('userRateLimitExceeded')
  return isLimit && /per minute/i.test(String(message)) && !/per user/i.test(String(message))
}

/** What Google gives as reasons, in both of the shapes of its errors; none where the answer has another shape. */
export function reasonsIn(json: unknown): string[] {
  const { errors, details } =
    (json as { error?: { errors?: unknown; details?: unknown } } | null)?.error ?? {}
  return [errors, details].flatMap((list) =>
    Array.isArray(list) ? list.map((one: { reason?: unknown } | null) => String(one?.reason)) : [],
  )
}
