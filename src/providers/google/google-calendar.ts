import * as z from 'zod'
import { type CalendarClient, CalendarError, type Fetch } from '../calendar/calendar-client.ts'
import type { OAuthAccount } from '../oauth/access.ts'
import type { AccountInfo } from '../oauth/account-info.ts'
import { type Api, openApi } from '../oauth/api.ts'
import { GoogleEvent, isCancelled, readEvent } from './google-event.ts'
import { listGoogleChanges, listGoogleEvents } from './list-events.ts'
import { writeGoogleEvent } from './write-event.ts'

/** `timezone` is the calendar's, for all-day events that are read one by one; lists contain it. */
export type GoogleCalendar = { readonly calendarId: string; readonly timezone: string | null }

/** A Google calendar (Calendar API v3). Each occurrence of a series is an event of its own here. */
export function openGoogleCalendar(
  account: OAuthAccount,
  { calendarId, timezone }: GoogleCalendar,
  send: Fetch,
): CalendarClient {
  const api = openApi(account, send)
  const path = `/calendars/${encodeURIComponent(calendarId)}/events`
  const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`
  return {
    listChanges: (window, { cursor }) => listGoogleChanges(api, path, window, cursor),
    listEvents: (range, signal) => listGoogleEvents(api, path, range, signal),
    findEvent: async (id) => {
      const { status, json } = await api({ path: pathOf(id), expects: [404, 410] })
      if (status >= 400) return null
      const parsed = GoogleEvent.safeParse(json)
      const event = parsed.success ? readEvent(parsed.data, timezone, null) : null
      if (!parsed.success || event === null) {
        throw new CalendarError('unusable', 'Google Calendar sent no event.')
      }
      return isCancelled(parsed.data) ? null : event
    },
    writeEvent: (event, known) => writeGoogleEvent(api, path, event, known),
    removeEvent: async (id) => {
      await api({
        method: 'DELETE',
        path: pathOf(id),
        query: { sendUpdates: 'none' },
        expects: [404, 410],
      })
    },
  }
}

/** The id of a primary calendar is the address of its owner. */
const Primary = z.object({ id: z.string(), timeZone: z.string().optional() })

/** Whose account it is; its primary calendar is the one events are written to. */
export async function findGoogleAccount(account: OAuthAccount, send: Fetch): Promise<AccountInfo> {
  const api: Api = openApi(account, send)
  const parsed = Primary.safeParse((await api({ path: '/calendars/primary' })).json)
  if (!parsed.success) throw new CalendarError('unusable', 'Google Calendar sent no calendar.')
  const { id, timeZone = null } = parsed.data
  return { email: id, calendarId: id, timezone: timeZone }
}
