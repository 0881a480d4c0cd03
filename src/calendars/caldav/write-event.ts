import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarEvent } from '../../platform/icalendar/calendar-event.ts'
import { uidOf } from '../../platform/icalendar/event-part.ts'
import { readComponents } from '../../platform/icalendar/read-components.ts'
import { StepBudget } from '../../platform/icalendar/step-budget.ts'
import { writeCalendarObject } from '../../platform/icalendar/write-calendar-object.ts'
import type { WrittenEvent } from '../client/calendar-client.ts'
import { type CaldavCalendar, idOf, urlOf } from './calendar-resource.ts'
import { askServer, type DavAnswer } from './dav-request.ts'
import { etagOf, strong } from './event-etag.ts'
import { findByUid } from './find-anywhere.ts'
import { expectCalendar, expectSuccess } from './judge-answer.ts'
import { plainUid, uidAgain } from './retry-uid.ts'

type Precondition = { readonly 'If-None-Match': '*' } | { readonly 'If-Match': string }
type Known = Pick<WrittenEvent, 'id' | 'etag'>

/** So often a UID may be taken: by an event in the trash, or in another calendar of the account. */
const MAX_TIMES_AGAIN = 9

/**
 * Writes a booking (RFC 4791, section 5.3.2): a new one under a name that follows from its UID, a known one only
 * as it was last seen. Throws `changed` when it is no longer that.
 */
export async function writeEvent(
  calendar: CaldavCalendar,
  event: CalendarEvent,
  known: Known | null,
): Promise<WrittenEvent> {
  if (known !== null) return update(calendar, event, known)
  for (let times = 0; times <= MAX_TIMES_AGAIN; times++) {
    const written = await create(calendar, { ...event, uid: uidAgain(event.uid, times) })
    if (written !== null) return written
  }
  throw new CalendarError('refused', 'The calendar does not take the event: it says that its UID is taken.')
}

/** Null where the UID is taken by an event that this calendar does not show: in its trash, or in another calendar. */
async function create(calendar: CaldavCalendar, event: CalendarEvent): Promise<WrittenEvent | null> {
  const id = idOf(`${calendar.url.replace(/\/*$/, '/')}${encodeURIComponent(event.uid)}.ics`, calendar.url)!
  const answer = await put(calendar, id, event, { 'If-None-Match': '*' })
  const isTaken = isUidTaken(answer)
  if (answer.status !== 412 && !isTaken) return written(calendar, id, answer)
  // It was written before, and the answer got lost.
  const own = await findOwn(calendar, id, event.uid)
  if (own !== null) return update(calendar, event, own)
  const elsewhere = await findByUid(calendar, plainUid(event.uid))
  if (elsewhere !== null) return update(calendar, event, elsewhere)
  if (isTaken) return null
  throw new CalendarError('changed', 'The event was changed in the calendar.')
}

/**
 * As RFC 4791, section 5.3.2.1, says it, with whatever status, or RFC 6638, section 3.2.4.1, of all calendars of the account
 * (Cyrus); else in a sentence: Nextcloud's 400 (nextcloud/server#30096), SOGo's 409.
 */
function isUidTaken({ status, body }: DavAnswer): boolean {
  const isSaid =
    /no-uid-conflict|unique-scheduling-object-resource|uid already exists|uid already in use/i.test(body)
  return status >= 400 && status < 500 && isSaid
}

async function update(
  calendar: CaldavCalendar,
  event: CalendarEvent,
  { id, etag }: Known,
): Promise<WrittenEvent> {
  const uid = await uidThere(calendar, id, event.uid)
  if (uid === null) throw new CalendarError('changed', 'The event was removed from the calendar.')
  const condition = { 'If-Match': etag === null ? '*' : strong(etag) }
  const answer = await put(calendar, id, { ...event, uid }, condition)
  // Open-Xchange refuses the etag that it sent (dominik1001/caldav-mcp#96).
  if (answer.status === 412 && etag !== null && (await findOwn(calendar, id, uid))?.etag === etag)
    return update(calendar, event, { id, etag: null })
  if ([404, 410, 412].includes(answer.status)) {
    throw new CalendarError('changed', 'The event was changed in the calendar.')
  }
  return written(calendar, id, answer)
}

/**
 * The UID under which an event is stored: it never changes (RFC 4791, section 5.3.2), and one that was written again has another.
 * Null where it is gone: SOGo takes any `If-Match` then, and would bring back what its owner deleted.
 */
async function uidThere(calendar: CaldavCalendar, id: string, uid: string): Promise<string | null> {
  const answer = await askServer(calendar, { method: 'GET', url: urlOf(calendar, id) })
  if (answer.status === 404 || answer.status === 410) return null
  if (answer.status < 200 || answer.status >= 300) return uid
  return uidsIn(answer).find((each) => plainUid(each) === uid) ?? uid
}

function put(calendar: CaldavCalendar, id: string, event: CalendarEvent, precondition: Precondition) {
  const headers = { 'Content-Type': 'text/calendar; charset=utf-8', ...precondition }
  return askServer(calendar, {
    method: 'PUT',
    url: urlOf(calendar, id),
    headers,
    body: writeCalendarObject(event),
  })
}

async function written(calendar: CaldavCalendar, id: string, answer: DavAnswer): Promise<WrittenEvent> {
  expectSuccess(answer)
  return { id, etag: await etagOf(calendar, id, answer), meetingUrl: null }
}

/** What is under the name of ours; null when nothing is. */
async function findOwn(calendar: CaldavCalendar, id: string, uid: string): Promise<Known | null> {
  const answer = await askServer(calendar, { method: 'GET', url: urlOf(calendar, id) })
  if (answer.status === 404 || answer.status === 410) return null
  expectCalendar(answer)
  if (!uidsIn(answer).includes(uid)) {
    throw new CalendarError('changed', 'Another event has the name of this one.')
  }
  return { id, etag: await etagOf(calendar, id, answer) }
}

function uidsIn({ body }: DavAnswer): string[] {
  const { events } = readComponents(body, new StepBudget())
  return events.map(uidOf)
}
