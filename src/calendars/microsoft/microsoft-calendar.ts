import type { CalendarClient } from '../client/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { eventPath, findGraphEvent } from './find-event.ts'
import { PREFERENCES, type ZoneNow } from './graph-event.ts'
import { isGone, MAYBE_GONE } from './graph-refusal.ts'
import { listGraphChanges } from './list-changes.ts'
import { listGraphEvents } from './list-events.ts'
import { writeGraphEvent } from './write-event.ts'

export function calendarPath(calendarId: string): string {
  return `/me/calendars/${encodeURIComponent(calendarId)}`
}

/** A calendar of Microsoft 365 (Graph 1.0). A series is one event with all its occurrences here. */
export function openMicrosoftCalendar(
  api: Api,
  calendarId: string,
  zoneNow: ZoneNow,
  countsFree = false,
): CalendarClient {
  const path = calendarPath(calendarId)
  return {
    listChanges: (window, since) => listGraphChanges(api, path, window, zoneNow, countsFree, since),
    listEvents: async (range, signal) =>
      (await listGraphEvents(api, path, range, zoneNow, countsFree, signal)).events,
    findEvent: (id) => findGraphEvent(api, id, zoneNow),
    writeEvent: (event, known) => writeGraphEvent(api, path, event, known),
    removeEvent: async (id) => {
      const request = { method: 'DELETE', path: eventPath(id), headers: PREFERENCES } as const
      isGone(await api({ ...request, expects: MAYBE_GONE }))
    },
  }
}
