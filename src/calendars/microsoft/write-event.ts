import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarEvent } from '../../platform/icalendar/calendar-event.ts'
import type { WrittenEvent } from '../client/calendar-client.ts'
import type { Api, ApiAnswer } from '../oauth/api.ts'
import { eventPath, findByUid } from './find-event.ts'
import { EVENT_QUERY, GraphEvent, PREFERENCES, transactionIdOf, UID_PROPERTY } from './graph-event.ts'
import { refusalIn } from './graph-refusal.ts'
import { finishMeeting, MEETING, ownBody, textBeside } from './meeting.ts'

/**
 * Writes an event. Our UID and the calendar are its transaction id, with which Graph recognizes repeated calls, and the UID is
 * a property by which it is found. It has no attendees, because Graph would email them.
 */
export async function writeGraphEvent(
  api: Api,
  path: string,
  event: CalendarEvent,
  known: Pick<WrittenEvent, 'id' | 'etag'> | null,
): Promise<WrittenEvent> {
  if (known !== null) {
    return finishMeeting(api, path, event, await patch(api, known.id, known.etag, event))
  }
  const created = await api({
    method: 'POST',
    path: `${path}/events`,
    headers: PREFERENCES,
    body: {
      ...timesOf(event),
      body: ownBody(event),
      showAs: 'busy',
      transactionId: await transactionIdOf(event.uid, path),
      singleValueExtendedProperties: [{ id: UID_PROPERTY, value: event.uid }],
      ...(event.wantsMeeting && MEETING),
    },
    expects: [400, 409],
  })
  assertTaken(created)
  const written = created.status === 409 ? await findWritten(api, path, event.uid, created) : eventOf(created)
  // A repeated call is answered with the event as it was first written.
  const isOlder = created.status === 409 || !isAsWanted(written, event)
  const current = isOlder ? await patch(api, written.id, written['@odata.etag'] ?? null, event) : written
  return finishMeeting(api, path, event, current)
}

/** What Graph takes for wrong it would take for wrong again. */
function assertTaken({ status, json }: ApiAnswer): void {
  if (status !== 400) return
  const { message = 'it gives no reason' } = refusalIn(json) ?? {}
  throw new CalendarError('rejected', `Microsoft 365 does not take the event: ${message.slice(0, 200)}`)
}

function timesOf(event: CalendarEvent) {
  const location = event.location ?? event.url
  return {
    subject: event.summary,
    start: { dateTime: new Date(event.start).toISOString().slice(0, 19), timeZone: 'UTC' },
    end: { dateTime: new Date(event.end).toISOString().slice(0, 19), timeZone: 'UTC' },
    // Where the event has a meeting of its own, its place is what Teams calls it.
    ...((!event.wantsMeeting || event.location !== null) && { location: { displayName: location ?? '' } }),
  }
}

/** Graph does not know our etag of a series. */
function matching(etag: string | null): Record<string, string> {
  return etag?.startsWith('W/') ? { 'If-Match': etag } : {}
}

async function patch(api: Api, id: string, etag: string | null, event: CalendarEvent): Promise<GraphEvent> {
  const text = event.wantsMeeting ? await textBeside(api, id, event) : { body: ownBody(event) }
  const answer = await api({
    method: 'PATCH',
    path: eventPath(id),
    headers: { ...PREFERENCES, ...matching(etag) },
    body: { ...timesOf(event), ...text, ...(event.wantsMeeting && MEETING) },
    expects: [400, 404, 409, 410, 412],
  })
  assertTaken(answer)
  if (answer.status < 300) return eventOf(answer)
  throw new CalendarError('changed', 'The event was changed or deleted in Microsoft 365.')
}

/** The event that has our transaction id: mostly the answer names it. https://learn.microsoft.com/graph/api/resources/event */
async function findWritten(api: Api, path: string, uid: string, { json }: ApiAnswer): Promise<GraphEvent> {
  const existing = refusalIn(json)?.['@event.existingEventId']
  if (typeof existing === 'string') {
    const request = { path: eventPath(existing), headers: PREFERENCES, query: EVENT_QUERY }
    const answer = await api({ ...request, expects: [404, 410] })
    if (answer.status < 300) return eventOf(answer)
  }
  const found = await findByUid(api, path, uid)
  if (found) return found
  throw new CalendarError('unusable', 'Microsoft 365 says that the event exists, but does not find it.')
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
