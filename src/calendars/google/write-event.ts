import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarEvent } from '../../platform/icalendar/calendar-event.ts'
import type { WrittenEvent } from '../client/calendar-client.ts'
import type { Api, ApiAnswer } from '../oauth/api.ts'
import { bodyOf } from './event-body.ts'
import {
  eventIdsOf,
  GoogleEvent,
  isCancelled,
  isMeetingPending,
  meetingUrlOf,
  requestIdFor,
  UID_PROPERTY,
} from './google-event.ts'

/** Google sends no emails, because we do. Version 1 of the conference data can make meetings. */
const QUERY = { sendUpdates: 'none', conferenceDataVersion: '1' }
const PENDING_WAITS_MS = [250, 500, 1000]

/** An event under an id that follows from its UID, so that writing twice makes one event. */
export async function writeGoogleEvent(
  api: Api,
  path: string,
  event: CalendarEvent,
  known: Pick<WrittenEvent, 'id' | 'etag'> | null,
): Promise<WrittenEvent> {
  if (known !== null) {
    const own = `${path}/${encodeURIComponent(known.id)}`
    return finish(api, path, event, await patch(api, own, known.etag, changeOf(event)))
  }
  for (const id of eventIdsOf(event.uid)) {
    const written = await insertOrRevive(api, path, event, id)
    if (written) return finish(api, path, event, written)
  }
  throw new CalendarError('refused', 'Google Calendar does not let the event come back.')
}

/**
 * Google answers 409 to an id that it knows, and keeps the ids of removed events, which may come back or not
 * (https://github.com/googleapis/google-api-ruby-client/issues/1811); null when not.
 */
async function insertOrRevive(
  api: Api,
  path: string,
  event: CalendarEvent,
  id: string,
): Promise<GoogleEvent | null> {
  const body = {
    ...bodyOf(event),
    id,
    sequence: event.sequence,
    extendedProperties: { private: { [UID_PROPERTY]: event.uid } },
  }
  const insert = (more: object = {}) =>
    api({ method: 'POST', path, query: QUERY, body: { ...body, ...more }, expects: [400, 409] })
  let answer = await insert(event.wantsMeeting ? meetingRequest(event, {}) : {})
  // A calendar that has no meetings refuses the whole event with them.
  if (answer.status === 400) answer = await insert()
  if (answer.status === 400) throw new CalendarError('unusable', 'Google Calendar refused the event.')
  if (answer.status !== 409) return eventOf(answer)
  const found = await api({ path: `${path}/${id}`, expects: [404, 410] })
  if (found.status >= 400) return null
  const there = eventOf(found)
  const sequence = Math.max(event.sequence, there.sequence ?? 0)
  const revived = { ...changeOf(event), status: 'confirmed', sequence }
  return tryPatch(api, `${path}/${id}`, there.etag ?? null, revived, isCancelled(there) ? [403] : [])
}

/** What was for whole days has no date any more: a PATCH leaves what it does not name, and Google takes only one. */
function changeOf(event: CalendarEvent) {
  const { start, end, ...rest } = bodyOf(event)
  return { ...rest, start: { ...start, date: null }, end: { ...end, date: null } }
}

function meetingRequest({ uid }: CalendarEvent, before: Pick<GoogleEvent, 'conferenceData'>) {
  return {
    conferenceData: {
      createRequest: {
        requestId: requestIdFor(uid, before),
        conferenceSolutionKey: { type: 'hangoutsMeet' },
      },
    },
  }
}

async function patch(api: Api, path: string, etag: string | null, body: object): Promise<GoogleEvent> {
  return (await tryPatch(api, path, etag, body, []))!
}

/** Null when it is answered with one of `statuses`. */
async function tryPatch(
  api: Api,
  path: string,
  etag: string | null,
  body: object,
  statuses: readonly number[],
): Promise<GoogleEvent | null> {
  const answer = await api({
    method: 'PATCH',
    path,
    query: QUERY,
    body,
    ...(etag !== null && { headers: { 'If-Match': etag } }),
    expects: [404, 410, 412, ...statuses],
  })
  if (statuses.includes(answer.status)) return null
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
    const wanted = meetingRequest(event, current)
    current = (await tryPatch(api, own, current.etag ?? null, wanted, [400])) ?? current
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
