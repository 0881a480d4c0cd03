import { Refused } from '../../http/errors.ts'
import { CalendarError, type CalendarFailure } from '../../providers/calendar/calendar-client.ts'

const THEIRS: ReadonlySet<CalendarFailure> = new Set(['refused', 'revoked', 'expired', 'absent', 'overlong'])

/** What somebody who connects a calendar is told when it fails: what they sent is wrong, or the server is. */
export function refusalOf(error: unknown): Refused {
  if (!(error instanceof CalendarError)) throw error
  return new Refused({
    code: THEIRS.has(error.failure) ? 'bad_request' : 'bad_gateway',
    message: error.message,
  })
}
