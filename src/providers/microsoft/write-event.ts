import * as z from 'zod'
import { CalendarError, type CalendarEvent, type WrittenEvent } from '../calendar/calendar-client.ts'
import { eventText } from '../calendar/event-text.ts'
import type { Api, ApiAnswer } from '../oauth/api.ts'
import { EVENT_QUERY, GraphEvent, preferences, UID_PROPERTY } from './graph-event.ts'

const Found = z.object({ value: z.array(GraphEvent) })

const headers = preferences()
const MEETING_WAITS_MS = [250, 500, 1000]

/**
 * Writes an event. A new one carries our UID as its transaction id, by which Graph tells a repeated call from a
 * new one, and as a property by which it is found. Graph always mails attendees, so there are none.
 */
export async function writeGraphEvent(
  api: Api,
  path: string,
  event: CalendarEvent,
  known: Pick<WrittenEvent, 'id' | 'etag'> | null,
): Promise<WrittenEvent> {
  if (known !== null) return finish(api, event, await patch(api, known.id, known.etag, event))
  const created = await api({
    method: 'POST',
    path: `${path}/events`,
    headers,
    body: {
      ...timesOf(event),
      body: { contentType: 'text', content: eventText(event) },
      showAs: 'busy',
      transactionId: event.uid,
      singleValueExtendedProperties: [{ id: UID_PROPERTY, value: event.uid }],
      ...(event.wantsMeeting && MEETING),
    },
    expects: [409],
  })
  const written = created.status === 409 ? await findByUid(api, path, event.uid) : eventOf(created)
  // A repeated call is answered with the event as it was first written.
  const isOlder = created.status === 409 || !isAsWanted(written, event)
  const current = isOlder ? await patch(api, written.id, written['@odata.etag'] ?? null, event) : written
  return finish(api, event, current)
}

const MEETING = { isOnlineMeeting: true, onlineMeetingProvider: 'teamsForBusiness' }

function timesOf(event: CalendarEvent) {
  return {
    subject: event.summary,
    start: { dateTime: new Date(event.start).toISOString().slice(0, 19), timeZone: 'UTC' },
    end: { dateTime: new Date(event.end).toISOString().slice(0, 19), timeZone: 'UTC' },
    location: { displayName: event.location ?? event.url ?? '' },
  }
}

async function patch(api: Api, id: string, etag: string | null, event: CalendarEvent): Promise<GraphEvent> {
  const answer = await api({
    method: 'PATCH',
    path: `/me/events/${encodeURIComponent(id)}`,
    headers: { ...headers, ...(etag !== null && { 'If-Match': etag }) },
    body: {
      ...timesOf(event),
      // The text of an event with a meeting holds the meeting; without it, the meeting would be gone.
      ...(event.wantsMeeting ? MEETING : { body: { contentType: 'text', content: eventText(event) } }),
    },
    expects: [404, 409, 410, 412],
  })
  if (answer.status < 300) return eventOf(answer)
  throw new CalendarError('changed', 'The event was changed or deleted in Microsoft 365.')
}

async function findByUid(api: Api, path: string, uid: string): Promise<GraphEvent> {
  const quoted = uid.replaceAll("'", "''")
  const { json } = await api({
    path: `${path}/events`,
    headers,
    query: {
      ...EVENT_QUERY,
      $filter: `singleValueExtendedProperties/Any(ep: ep/id eq '${UID_PROPERTY}' and ep/value eq '${quoted}')`,
    },
  })
  const found = Found.safeParse(json).data?.value[0]
  if (!found)
    throw new CalendarError('unusable', 'Microsoft 365 says that the event exists, but does not find it.')
  return found
}

/** Waits a moment for the meeting, whose link may come after the event. */
async function finish(api: Api, event: CalendarEvent, written: GraphEvent): Promise<WrittenEvent> {
  let current = written
  for (const wait of MEETING_WAITS_MS) {
    if (!event.wantsMeeting || current.onlineMeeting?.joinUrl) break
    await new Promise((done) => setTimeout(done, wait))
    const path = `/me/events/${encodeURIComponent(written.id)}`
    current = eventOf(await api({ path, headers, query: EVENT_QUERY }))
  }
  const meetingUrl = event.wantsMeeting ? (current.onlineMeeting?.joinUrl ?? null) : null
  return { id: current.id, etag: current['@odata.etag'] ?? null, meetingUrl }
}

function isAsWanted({ subject, start, end }: GraphEvent, event: CalendarEvent): boolean {
  const wanted = timesOf(event)
  return (
    subject === wanted.subject &&
    start?.dateTime.slice(0, 19) === wanted.start.dateTime &&
    end?.dateTime.slice(0, 19) === wanted.end.dateTime
  )
}

function eventOf({ json }: ApiAnswer): GraphEvent {
  const parsed = GraphEvent.safeParse(json)
  if (!parsed.success) throw new CalendarError('unusable', 'Microsoft 365 sent no event.')
  return parsed.data
}
