import { Refused } from '../platform/http/errors.ts'
import { CalendarError, type CalendarFailure } from '../platform/icalendar/calendar-error.ts'
import { SignInNotOffered } from './caldav/sign-in-refused.ts'

const THEIRS: ReadonlySet<CalendarFailure> = new Set(['refused', 'revoked', 'expired', 'absent', 'overlong'])

/** The refusal for a connection that fails: the request is wrong, or the server fails. */
export function refusalOf(error: unknown): Refused {
  if (!(error instanceof CalendarError)) throw error
  return new Refused({
    code: THEIRS.has(error.failure) ? 'bad_request' : 'bad_gateway',
    message: error.message,
    ...(error instanceof SignInNotOffered && { details: { auth: error.offers } }),
  })
}
