import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { retryAfterOf } from '../oauth/retry-after.ts'
import type { DavAnswer } from './dav-request.ts'

/** The failure for a status; null for 2xx. The sign-in handles 401. */
export function failureOf({ status, headers }: DavAnswer): CalendarError | null {
  if (status >= 200 && status < 300) return null
  if (status === 403)
    return new CalendarError('refused', 'The server does not permit this account to do that.')
  if (status === 404 || status === 410)
    return new CalendarError('absent', 'The server has no calendar at this address.')
  if ((status >= 500 && status !== 501) || [408, 425, 429].includes(status)) {
    return new CalendarError(
      'unavailable',
      `The server answered with status ${status}.`,
      retryAfterOf(headers),
    )
  }
  return new CalendarError('unusable', `The server answered with status ${status}.`)
}

/** Throws the failure for the status. */
export function expectSuccess(answer: DavAnswer): void {
  const failure = failureOf(answer)
  if (failure !== null) throw failure
}

/**
 * Throws the failure for the status, or `unusable` without a calendar. Content types do not say it: Open-Xchange sends text/html
 * (python-caldav/caldav#142), iCloud text/plain or none (emersion/go-webdav#131).
 */
export function expectCalendar(answer: DavAnswer): void {
  expectSuccess(answer)
  if (/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(answer.body)) return
  throw new CalendarError('unusable', 'The server answers with something else instead of a calendar.')
}
