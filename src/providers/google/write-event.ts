import { CalendarError, type CalendarEvent, type WrittenEvent } from '../calendar/calendar-client.ts'
import { eventText } from '../calendar/event-text.ts'
import type { Api, ApiAnswer } from '../oauth/api.ts'
import {
  eventIdOf,
  GoogleEvent,
  isCancelled,
  isMeetingPending,
  meetingUrlOf,
  UID_PROPERTY,
} from './google-event.ts'

/** Google mails nobody: we send the letters. Version 1 of the conference data can make meetings. */
const QUERY = { sendUpdates: 'none', conferenceDataVersion: '1' }
/** Google takes 8,192 characters. */
const MAX_DESCRIPTION = 8000
const PENDING_WAITS_MS = [250, 500, 1000]

/**
 * Writes an event under the id that follows from its UID, so that writing twice makes one event: Google answers
 * 409 to an id that it knows, and keeps the ids of removed events.
 */
export async function writeGoogleEvent(
  api: Api,
  path: string,
  event: CalendarEvent,
  known: Pick<WrittenEvent, 'id' | 'etag'> | null,
): Promise<WrittenEvent> {
  if (known !== null) {
    const written = await patch(api, `${path}/${encodeURIComponent(known.id)}`, known.etag, bodyOf(event))
    return finish(api, path, event, written)
  }
  const id = eventIdOf(event.uid)
  const body = { ...bodyOf(event), ...(event.wantsMeeting && meetingRequest(event)) }
  const answer = await api({
    method: 'POST',
    path,
    query: QUERY,
    body: {
      ...body,
      id,
      sequence: event.sequence,
      extendedProperties: { private: { [UID_PROPERTY]: event.uid } },
    },
    expects: [409],
  })
  if (answer.status !== 409) return finish(api, path, event, eventOf(answer))
  const there = eventOf(await api({ path: `${path}/${id}` }))
  const sequence = Math.max(event.sequence, there.sequence ?? 0)
  const revived = { ...bodyOf(event), status: 'confirmed', sequence }
  return finish(api, path, event, await patch(api, `${path}/${id}`, there.etag ?? null, revived))
}

/** Google counts the sequence itself, and takes none below its own. */
function bodyOf(event: CalendarEvent) {
  return {
    summary: event.summary,
    description: asPlainText(eventText(event)),
    location: event.location ?? event.url ?? '',
    start: { dateTime: new Date(event.start).toISOString() },
    end: { dateTime: new Date(event.end).toISOString() },
    transparency: 'opaque',
  }
}

/**
 * Google shows a description as HTML as soon as there is any in it, and keeps the line ends of one without. So
 * that what somebody wrote is read as they wrote it, signs that could be markup are escaped, in a text that is HTML
 * then.
 */
function asPlainText(text: string): string {
  if (!/[&<>]/.test(text)) return text
  const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' }
  let html = ''
  for (const char of text) {
    const next = signs[char] ?? char
    if (html.length + next.length > MAX_DESCRIPTION) break
    html += next
  }
  return html
}

/** Repeating the request id makes no second meeting. */
function meetingRequest({ uid }: CalendarEvent) {
  return {
    conferenceData: {
      createRequest: { requestId: uid, conferenceSolutionKey: { type: 'hangoutsMeet' } },
    },
  }
}

async function patch(api: Api, path: string, etag: string | null, body: object): Promise<GoogleEvent> {
  const answer = await api({
    method: 'PATCH',
    path,
    query: QUERY,
    body,
    ...(etag !== null && { headers: { 'If-Match': etag } }),
    expects: [404, 410, 412],
  })
  const written = answer.status < 300 ? eventOf(answer) : null
  if (written === null || isCancelled(written)) {
    throw new CalendarError('changed', 'The event was changed or deleted in Google Calendar.')
  }
  return written
}

/** Waits a moment for the meeting, which Google may make after it has answered. */
async function finish(
  api: Api,
  path: string,
  event: CalendarEvent,
  written: GoogleEvent,
): Promise<WrittenEvent> {
  let current = written
  const own = `${path}/${encodeURIComponent(written.id)}`
  if (event.wantsMeeting && meetingUrlOf(current) === null && !isMeetingPending(current)) {
    current = await patch(api, own, current.etag ?? null, meetingRequest(event))
  }
  for (const wait of PENDING_WAITS_MS) {
    if (!event.wantsMeeting || !isMeetingPending(current)) break
    await new Promise((done) => setTimeout(done, wait))
    current = eventOf(await api({ path: own }))
  }
  const meetingUrl = event.wantsMeeting ? meetingUrlOf(current) : null
  return { id: current.id, etag: current.etag ?? null, meetingUrl }
}

function eventOf({ json }: ApiAnswer): GoogleEvent {
  const parsed = GoogleEvent.safeParse(json)
  if (!parsed.success) throw new CalendarError('unusable', 'Google Calendar sent no event.')
  return parsed.data
}
