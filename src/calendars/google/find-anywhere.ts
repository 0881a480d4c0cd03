import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { AccountClient, FoundEvent } from '../client/account-client.ts'
import type { Api } from '../oauth/api.ts'
import { openGoogleCalendar } from './google-calendar.ts'
import { listGoogleCalendars } from './list-calendars.ts'

/**
 * A moved event keeps its id (https://developers.google.com/workspace/calendar/api/v3/reference/events/move), in a calendar that
 * its owner may write to. Throws `absent` if no calendar has it and its own is gone.
 */
export async function findAnywhere(
  api: Api,
  { calendarId, eventId, except = [] }: Parameters<AccountClient['findAnywhere']>[0],
): Promise<FoundEvent | null> {
  const lookIn = async (id: string, timezone: string | null): Promise<FoundEvent | null> => {
    const event = await openGoogleCalendar(api, { calendarId: id, timezone }).findEvent(eventId)
    return event && event.time !== null ? { calendarId: id, event } : null
  }
  const there = await lookIn(calendarId, null)
  if (there) return there
  const calendars = await listGoogleCalendars(api)
  const left = [calendarId, ...except]
  for (const { externalId, canWrite, timezone } of calendars) {
    const found = canWrite && !left.includes(externalId) ? await lookIn(externalId, timezone) : null
    if (found) return found
  }
  if (calendars.some(({ externalId }) => externalId === calendarId)) return null
  throw new CalendarError('absent', 'The Google account has no such calendar any more.')
}
