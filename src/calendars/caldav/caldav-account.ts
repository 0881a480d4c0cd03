import type { AccountClient } from '../client/account-client.ts'
import { createCaldavClient } from './caldav-client.ts'
import type { CaldavCalendar } from './calendar-resource.ts'
import { listCalendars } from './discover-account.ts'
import { findAnywhere } from './find-anywhere.ts'
import { surveyAccount } from './survey-account.ts'

type CaldavAccount = Omit<CaldavCalendar, 'url' | 'timeZone' | 'countsFree' | 'spellings'> & {
  /** The server, or any address on it that the owner knows. */
  readonly serverUrl: string
  /** The IANA zone of dates and floating times where a calendar names none. */
  readonly fallbackZone: string
}

/** An account on a CalDAV server and its calendars (RFC 4791). */
export function openCaldavAccount({ serverUrl, fallbackZone, ...account }: CaldavAccount): AccountClient {
  const list = () => listCalendars(account, serverUrl)
  const open = (calendarId: string, timezone: string | null, countsFree = false) => {
    const calendar = {
      ...account,
      url: calendarId,
      timeZone: timezone ?? fallbackZone,
      countsFree,
      spellings: new Map(),
    }
    return { calendarId, calendar, client: createCaldavClient(calendar) }
  }
  return {
    identify: async () => ({ email: (await surveyAccount(account, serverUrl)).email }),
    listCalendars: list,
    openCalendar: ({ calendarId, timezone, blocks }) =>
      open(calendarId, timezone, blocks === 'all_events').client,
    findAnywhere: (known) => findAnywhere(known, list, open),
    push: null,
  }
}
