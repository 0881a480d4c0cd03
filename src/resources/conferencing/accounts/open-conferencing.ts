import type { Env } from '../../../env.ts'
import type { ConferencingClient } from '../../../providers/conferencing/conferencing-client.ts'
import { CalendarError } from '../../../providers/icalendar/calendar-error.ts'
import { send } from '../../../providers/transport/fetch.ts'
import { accessBy } from '../../calendars/accounts/ask-account.ts'
import { askAccount } from './ask-account.ts'
import { configOfAccounts } from './credentials.ts'
import type { AccountRow } from './queries.ts'

export type OpenConferencing = (env: Env, account: AccountRow) => Promise<ConferencingClient>

/** The provider behind an account. Throws a CalendarError, also when its permission ended: it is not asked then. */
export const openConferencing: OpenConferencing = async (env, { id, status, error }) => {
  if (status === 'revoked' || status === 'expired') {
    throw new CalendarError(status, error ?? 'The access to Zoom ended; connect once more.')
  }
  const config = configOfAccounts(env)
  const { openZoomMeetings } = await import('../../../providers/zoom/zoom-meetings.ts')
  return openZoomMeetings({ config, access: accessBy(askAccount(env, id)), send })
}
