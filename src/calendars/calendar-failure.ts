import { type Refused, refuse } from '../platform/http/errors.ts'
import { CalendarError, type CalendarFailure } from '../platform/icalendar/calendar-error.ts'
import { SignInNotOffered } from './caldav/sign-in-refused.ts'

const THEIRS: ReadonlySet<CalendarFailure> = new Set(['refused', 'revoked', 'expired', 'absent', 'overlong'])

/** The refusal for a connection that fails: the request is wrong, or the server fails. */
export function refusalOf(error: unknown): Refused {
  if (!(error instanceof CalendarError)) throw error
  const reason = THEIRS.has(error.failure) ? 'calendar_refused' : 'calendar_failed'
  const details = error instanceof SignInNotOffered ? [{ auth: error.offers }] : []
  return refuse(reason, { failure: error.failure, said: error.message }, ...details)
}
