import type { Env } from '../../../env.ts'
import { CalendarError, isEnd } from '../../../platform/icalendar/calendar-error.ts'
import { send } from '../../../platform/transport/fetch.ts'
import { accessBy, askMeetingAccount } from '../../accounts/ask-account.ts'
import { configOfAccounts } from '../../accounts/providers.ts'
import type { ConferencingClient } from '../../client/conferencing-client.ts'
import type { AccountRow } from './queries.ts'

export type OpenConferencing = (env: Env, account: AccountRow) => Promise<ConferencingClient>

/** The provider behind an account. Throws a CalendarError, also when its permission ended: it is not asked then. */
export const openConferencing: OpenConferencing = async (env, { id, status, error }) => {
  if (isEnd(status)) {
    throw new CalendarError(status, error ?? 'The access to Zoom ended; connect once more.')
  }
  const config = configOfAccounts(env, 'video_a')
  const { openZoomMeetings } = await import('../../zoom/zoom-meetings.ts')
  return openZoomMeetings({ config, access: accessBy(askMeetingAccount(env, id)), send })
}
