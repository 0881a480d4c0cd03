import type { AccountClient } from '../calendar/account-client.ts'
import type { Fetch } from '../transport/fetch.ts'
import { createCaldavClient } from './caldav-client.ts'
import { discoverAccount } from './discover-account.ts'
import { findAnywhere } from './find-anywhere.ts'

type CaldavAccount = {
  readonly fetch: Fetch
  /** The server, or any address on it that the owner knows. */
  readonly serverUrl: string
  readonly username: string
  readonly password: string
  /** The owner's addresses: an invitation that one of these declined does not block. */
  readonly ownerAddresses: readonly string[]
  /** The IANA zone of dates and floating times where a calendar names none. */
  readonly fallbackZone: string
  /** Judges each address before a request goes to it, also those that the server sends. */
  readonly mayReach: (url: string) => boolean
}

/** An account on a CalDAV server and its calendars (RFC 4791). */
export function openCaldavAccount({ serverUrl, fallbackZone, ...account }: CaldavAccount): AccountClient {
  const discover = () => discoverAccount({ ...account, serverUrl })
  const listCalendars = async () => (await discover()).calendars
  const open = (calendarId: string, timezone: string | null) => {
    const timeZone = timezone ?? fallbackZone
    return {
      calendarId,
      calendar: { ...account, url: calendarId, timeZone },
      client: createCaldavClient({ ...account, calendarUrl: calendarId, calendarZone: timeZone }),
    }
  }
  return {
    identify: async () => ({ email: (await discover()).email }),
    listCalendars,
    openCalendar: ({ calendarId, timezone }) => open(calendarId, timezone).client,
    findAnywhere: (known) => findAnywhere(known, listCalendars, open),
    push: null,
  }
}
