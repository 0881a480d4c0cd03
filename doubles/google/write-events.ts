import type { Call, Json, Reply } from '../world.ts'
import type { Place } from './accounts.ts'
import type { Caller } from './check-access.ts'
import { checkEtag, checkMayWrite, viewOf } from './check-calendar.ts'
import { checkChoices, checkTimes } from './check-event.ts'
import { readCount, readVersion } from './check-query.ts'
import { exceptionsOf } from './expand-series.ts'
import { type FoundEvent, findEvent, isDeleted } from './find-event.ts'
import { conferenceOf } from './make-conferences.ts'
import { makeEventId } from './make-ids.ts'
import { organizersOnly, patchEvent, replaceEvent } from './merge-event.ts'
import { readBody } from './read-body.ts'
import { forbidden, invalid, notFound, refuse, required } from './refuse.ts'
import { eventFields, selectFields } from './select-fields.ts'
import { sendMails } from './send-mails.ts'
import { showEvent } from './show-event.ts'
import type { State, StoredEvent } from './state.ts'
import { storeEvent } from './store-event.ts'

/** `POST …/events`: developers.google.com/workspace/calendar/api/v3/reference/events/insert. */
export function insertEvent(state: State, caller: Caller, place: Place, call: Call): Reply {
  checkMayWrite(place)
  const body = readBody(call)
  const fields = newEvent(state, caller, place, body, readVersion(call.query), call.now)
  const stored = storeEvent(state, place.calendar, fields)
  sendMails(state, caller.account, call.query, null, stored.fields)
  return answer(caller, place, call, stored)
}

function newEvent(
  state: State,
  caller: Caller,
  { calendar }: Place,
  body: Json,
  version: 0 | 1,
  now: number,
): Json {
  checkChoices(body)
  if (body.id != null && !/^[a-v0-9]{5,1024}$/.test(String(body.id))) {
    throw invalid('Invalid resource id value.')
  }
  if (body.id != null && body.iCalUID != null) {
    // «only one of them should be supplied at event creation time»
    throw invalid('Only one of the fields id and iCalUID may be set.')
  }
  // googleapis/google-api-python-client#846: also an id of a deleted event, taers232c/GAMADV-X#82: of one gone for good.
  if (body.id != null && calendar.events.has(body.id)) {
    throw refuse(409, 'duplicate', 'The requested identifier already exists.')
  }
  const id = body.id ?? makeEventId()
  const mail = caller.account.mail
  const isMain = calendar.kind === 'primary'
  const fields: Json = {
    ...replaceEvent({}, body),
    id,
    created: new Date(Math.floor(now / 1000) * 1000).toISOString(),
    creator: { email: mail },
    organizer: isMain ? { email: mail } : { email: calendar.id, displayName: calendar.summary },
    iCalUID: body.iCalUID ?? `${id}@google.com`,
    sequence: body.sequence ?? 0,
    eventType: body.eventType ?? 'default',
    ...(body.birthdayProperties && { birthdayProperties: body.birthdayProperties }),
    ...conferenceOf(state, {}, body, version, true),
  }
  checkTimes(fields, calendar.timeZone)
  return fields
}

/** `PUT` and `PATCH …/events/{id}`: …/v3/reference/events/update and …/patch. */
export function changeEvent(state: State, caller: Caller, place: Place, call: Call, id: string): Reply {
  checkMayWrite(place)
  const { calendar } = place
  const found = findEvent(calendar, id)
  if (!found) throw notFound()
  checkEtag(call, found)
  const body = readBody(call)
  checkChoices(body)
  const isWhole = call.method === 'PUT'
  if (isWhole && !body.start) throw required('Missing start time.')
  const merged = isWhole ? replaceEvent(found.fields, body) : patchEvent(found.fields, body)
  const fields: Json = {
    ...withoutConference(merged),
    ...conferenceOf(state, found.fields, body, readVersion(call.query), isWhole),
  }
  checkRestored(state, found, fields)
  if (body.eventType != null && body.eventType !== found.fields.eventType) {
    throw refuse(400, 'eventTypeRestriction', 'The event type cannot be changed.', { domain: 'calendar' })
  }
  if (body.sequence != null && body.sequence < (found.fields.sequence ?? 0)) {
    throw invalid(
      'Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.',
    )
  }
  if (found.fields.recurringEventId && fields.recurrence) throw invalid('Invalid recurrence rule.')
  checkTimes(fields, calendar.timeZone)
  checkIsOrganizers(found.fields, fields)
  fields.sequence = nextSequence(found.fields, fields)
  const stored = storeEvent(state, calendar, fields)
  sendMails(state, caller.account, call.query, found.fields, stored.fields)
  return answer(caller, place, call, stored)
}

const withoutConference = ({ conferenceData: _, hangoutLink: __, ...fields }: Json): Json => fields

/** googleapis/google-api-ruby-client#1811 saw it forbidden, the reference says that its organizer may undelete an event. */
function checkRestored(state: State, found: FoundEvent, after: Json): void {
  if (!isDeleted(found)) return
  if (found.stored?.hasMovedAway || !state.settings.isDeletedRestorable) throw forbidden()
  if (found.series?.fields.status === 'cancelled' && after.status !== 'cancelled') throw forbidden()
}

/** An attendee's copy has what is the organizer's from there: …/guides/errors#403_forbidden_for_non_organizer. */
function checkIsOrganizers(before: Json, after: Json): void {
  if (!before.organizer || before.organizer.self || before.guestsCanModify) return
  if (organizersOnly(before, after).length) {
    const message = 'Shared properties can only be changed by the organizer of the event.'
    throw refuse(403, 'forbiddenForNonOrganizer', message, { domain: 'calendar' })
  }
}

/** As iCalendar counts: with the time, the rule, the place and being called off. */
export function nextSequence(before: Json, after: Json): number {
  const names = ['start', 'end', 'recurrence', 'status', 'location']
  const hasChanged = names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Math.max(after.sequence ?? 0, (before.sequence ?? 0) + (hasChanged ? 1 : 0))
}

/** `DELETE …/events/{id}`, which for one that is deleted is a 410: …/guides/errors#410_gone. */
export function deleteEvent(state: State, caller: Caller, place: Place, call: Call, id: string): Reply {
  checkMayWrite(place)
  const { calendar } = place
  const found = findEvent(calendar, id)
  if (!found) throw notFound()
  if (isDeleted(found)) throw refuse(410, 'deleted', 'Resource has been deleted')
  checkEtag(call, found)
  const stored = cancelEvent(state, place, found)
  sendMails(state, caller.account, call.query, found.fields, stored.fields)
  return { status: 204 }
}

export function cancelEvent(state: State, { calendar }: Place, { fields }: FoundEvent): StoredEvent {
  const sequence = (fields.sequence ?? 0) + 1
  return storeEvent(state, calendar, { ...fields, status: 'cancelled', sequence })
}

function answer(caller: Caller, place: Place, call: Call, stored: StoredEvent): Reply {
  const { query } = call
  const most = query.has('maxAttendees') ? readCount(query, 'maxAttendees', 1, 10_000) : null
  const view = { ...viewOf(caller, place, query), maxAttendees: most }
  const shown = showEvent(view, stored.fields, stored.version)
  return {
    status: 200,
    json: selectFields(shown, query.get('fields'), eventFields),
    headers: { ETag: shown.etag },
  }
}

/** What of a series goes along when it leaves a calendar. */
export function wholeOf(place: Place, stored: StoredEvent): StoredEvent[] {
  return [stored, ...exceptionsOf(place.calendar, stored.fields.id)]
}
