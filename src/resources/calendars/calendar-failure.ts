import { Refused } from '../../http/errors.ts'
import { CalendarError } from '../../providers/calendar/calendar-client.ts'

/** What somebody who connects a calendar is told when it fails: their credentials are wrong, or the server is. */
export function refusalOf(error: unknown): Refused {
  if (!(error instanceof CalendarError)) throw error
  const isTheirs = error.failure === 'refused' || error.failure === 'revoked' || error.failure === 'expired'
  return new Refused({ code: isTheirs ? 'bad_request' : 'bad_gateway', message: error.message })
}
