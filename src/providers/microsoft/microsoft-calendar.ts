import type { CalendarClient } from '../calendar/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { findGraphEvent } from './find-event.ts'
import { preferences } from './graph-event.ts'
import { listGraphChanges } from './list-changes.ts'
import { listGraphEvents } from './list-events.ts'
import { writeGraphEvent } from './write-event.ts'

/** `timezone` is the mailbox's, for all-day events. */
export type MicrosoftCalendar = { readonly calendarId: string; readonly timezone: string | null }

/** A calendar of Microsoft 365 (Graph 1.0). A series is one event with all its occurrences here. */
export function openMicrosoftCalendar(api: Api, { calendarId, timezone }: MicrosoftCalendar): CalendarClient {
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
