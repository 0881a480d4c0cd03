import type { AccountClient, FoundEvent, ListedCalendar } from '../client/account-client.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { findByUid, findGraphEvent } from './find-event.ts'
import { readEvents } from './graph-event.ts'
import { listGraphCalendars } from './list-calendars.ts'
import { listGraphEvents } from './list-events.ts'
import { calendarPath } from './microsoft-calendar.ts'

type Known = Parameters<AccountClient['findAnywhere']>[0]

/**
 * Finds our event in the whole mailbox by its immutable id, which does not name the calendar; without one, each writable calendar
 * is searched for our UID. Null if all of them answered and none has it.
 */
export async function findInAccount(api: Api, known: Known): Promise<FoundEvent | null> {
  const calendars = await listCandidates(api, known)
  const zone = calendars[0]?.timezone ?? null
  const there = await findGraphEvent(api, known.eventId, async () => zone)
  if (there?.time) {
    for (const { externalId: calendarId } of calendars) {
      if (await isListed(api, calendarId, there, zone)) return { calendarId, event: there }
    }
  }
  for (const { externalId: calendarId } of calendars) {
    const found = await findByUid(api, calendarPath(calendarId), known.uid)
    const event = found && readEvents([found], zone, null).event
    if (event?.time) return { calendarId, event }
  }
  return null
}

/** The calendar where it was written comes first, then the main one. */
async function listCandidates(
  api: Api,
  { calendarId, except = [] }: Known,
): Promise<readonly ListedCalendar[]> {
  const calendars = (await listGraphCalendars(api)).filter(
    ({ canWrite, externalId }) => canWrite && !except.includes(externalId),
  )
  const rank = ({ externalId, isPrimary }: ListedCalendar) =>
    externalId === calendarId ? 0 : isPrimary ? 1 : 2
  return calendars.toSorted((a, b) => rank(a) - rank(b))
}

async function isListed(
  api: Api,
  calendarId: string,
  { id, time }: ExternalEvent,
  zone: string | null,
): Promise<boolean> {
  const { events } = await listGraphEvents(api, calendarPath(calendarId), time!, async () => zone, false)
  return events.some((event) => event.id === id)
}
