import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarKey } from '../client/account-client.ts'
import type { CalendarClient } from '../client/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { GoogleEvent, isCancelled, readEvent } from './google-event.ts'
import { listGoogleChanges, listGoogleEvents } from './list-events.ts'
import { writeGoogleEvent } from './write-event.ts'

/** `timezone` is the calendar's, for all-day events that are read one by one; lists contain it. */
type GoogleCalendar = Pick<CalendarKey, 'calendarId' | 'timezone' | 'blocks'>

/** A Google calendar (Calendar API v3). Each occurrence of a series is an event of its own here. */
export function openGoogleCalendar(
  api: Api,
  { calendarId, timezone, blocks }: GoogleCalendar,
): CalendarClient {
  const countsFree = blocks === 'all_events'
  const path = `/calendars/${encodeURIComponent(calendarId)}/events`
  const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`
  return {
    listChanges: (window, since) => listGoogleChanges(api, path, window, countsFree, since),
    listEvents: (range, signal) => listGoogleEvents(api, path, range, countsFree, signal),
    findEvent: async (id) => {
      const { status, json } = await api({ path: pathOf(id), expects: [404, 410] })
      if (status >= 400) return null
      const parsed = GoogleEvent.safeParse(json)
      const event = parsed.success ? readEvent(parsed.data, timezone, null).event : null
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
