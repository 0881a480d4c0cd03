import type { Fetch } from '../../platform/transport/fetch.ts'
import type { AccountClient } from '../client/account-client.ts'
import { createCaldavClient } from './caldav-client.ts'
import { listCalendars } from './discover-account.ts'
import { findAnywhere } from './find-anywhere.ts'
import type { SignIn } from './sign-in.ts'
import { surveyAccount } from './survey-account.ts'

type CaldavAccount = {
  readonly fetch: Fetch
  /** The server, or any address on it that the owner knows. */
  readonly serverUrl: string
  readonly signIn: SignIn
  /** The owner's addresses: an invitation that one of these declined does not block. */
  readonly ownerAddresses: readonly string[]
  /** The IANA zone of dates and floating times where a calendar names none. */
  readonly fallbackZone: string
  /** Judges each address before a request goes to it, also those that the server sends. */
  readonly mayReach: (url: string) => boolean
}

/** An account on a CalDAV server and its calendars (RFC 4791). */
export function openCaldavAccount({ serverUrl, fallbackZone, ...account }: CaldavAccount): AccountClient {
  const list = () => listCalendars(account, serverUrl)
  const open = (calendarId: string, timezone: string | null) => {
    const timeZone = timezone ?? fallbackZone
    return {
      calendarId,
      calendar: { ...account, url: calendarId, timeZone },
      client: createCaldavClient({ ...account, calendarUrl: calendarId, calendarZone: timeZone }),
    }
  }
  return {
    identify: async () => ({ email: (await surveyAccount(account, serverUrl)).email }),
    listCalendars: list,
    openCalendar: ({ calendarId, timezone }) => open(calendarId, timezone).client,
    findAnywhere: (known) => findAnywhere(known, list, open),
    push: null,
  }
}
