import * as z from 'zod'
import { type CalendarClient, CalendarError, type Fetch } from '../calendar/calendar-client.ts'
import { zoneOfEitherName } from '../calendar/windows-zones.ts'
import type { OAuthAccount } from '../oauth/access.ts'
import type { AccountInfo } from '../oauth/account-info.ts'
import { openApi } from '../oauth/api.ts'
import { findGraphEvent } from './find-event.ts'
import { preferences } from './graph-event.ts'
import { listGraphChanges } from './list-changes.ts'
import { listGraphEvents } from './list-events.ts'
import { writeGraphEvent } from './write-event.ts'

/** `timezone` is the mailbox's, for all-day events. */
export type MicrosoftCalendar = { readonly calendarId: string; readonly timezone: string | null }

/** A calendar of Microsoft 365 (Graph 1.0). A series is one event with all its occurrences here. */
export function openMicrosoftCalendar(
  account: OAuthAccount,
  { calendarId, timezone }: MicrosoftCalendar,
  send: Fetch,
): CalendarClient {
  const api = openApi(account, send)
  const path = `/me/calendars/${encodeURIComponent(calendarId)}`
  const pathOf = (id: string) => `/me/events/${encodeURIComponent(id)}`
  return {
    listChanges: (window, { cursor }) => listGraphChanges(api, path, window, timezone, cursor),
    listEvents: async (range, signal) => (await listGraphEvents(api, path, range, timezone, signal)).events,
    findEvent: (id) => findGraphEvent(api, id, timezone),
    writeEvent: (event, known) => writeGraphEvent(api, path, event, known),
    removeEvent: async (id) => {
      await api({ method: 'DELETE', path: pathOf(id), headers: preferences(), expects: [404, 410] })
    },
  }
}

const Me = z.object({ mail: z.string().nullish(), userPrincipalName: z.string() })
const DefaultCalendar = z.object({ id: z.string() })
const ZoneSetting = z.object({ value: z.string() })

/** Whose account it is, its default calendar, which events are written to, and the mailbox's zone. */
export async function findMicrosoftAccount(account: OAuthAccount, send: Fetch): Promise<AccountInfo> {
  const api = openApi(account, send)
  const ask = async (path: string) => (await api({ path, headers: preferences() })).json
  const me = Me.safeParse(await ask('/me'))
  const calendar = DefaultCalendar.safeParse(await ask('/me/calendar'))
  if (!me.success || !calendar.success) {
    throw new CalendarError('unusable', 'Microsoft 365 did not say whose account it is.')
  }
  const zone = ZoneSetting.safeParse(await ask('/me/mailboxSettings/timeZone'))
  return {
    email: me.data.mail ?? me.data.userPrincipalName,
    calendarId: calendar.data.id,
    timezone: zone.success ? zoneOfEitherName(zone.data.value) : null,
  }
}
