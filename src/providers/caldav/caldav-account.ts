import type { AccountClient } from '../calendar/account-client.ts'
import type { Fetch } from '../calendar/calendar-client.ts'
import { findIn } from '../calendar/find-in.ts'
import { createCaldavClient } from './caldav-client.ts'
import { discoverCalendar } from './discover-calendar.ts'

export type CaldavAccount = {
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
  const open = (calendarUrl: string, timezone: string | null) =>
    createCaldavClient({ ...account, calendarUrl, calendarZone: timezone ?? fallbackZone })
  return {
    identify: async () => ({ email: (await discoverCalendar({ ...account, serverUrl })).accountEmail }),
    listCalendars: async () => {
      const { calendarUrl, displayName, timezone } = await discoverCalendar({ ...account, serverUrl })
      const name = displayName ?? calendarUrl
      return [{ externalId: calendarUrl, name, isPrimary: true, canWrite: true, timezone }]
    },
    openCalendar: ({ calendarId, timezone }) => open(calendarId, timezone),
    findAnywhere: (known) => findIn(open(known.calendarId, null), known),
    push: null,
  }
}
