import { CalendarError, type CalendarEvent, type WrittenEvent } from '../calendar/calendar-client.ts'
import { readComponents } from '../icalendar/read-components.ts'
import { StepBudget } from '../icalendar/step-budget.ts'
import { writeCalendarObject } from '../icalendar/write-calendar-object.ts'
import { type CaldavCalendar, idOf, urlOf } from './calendar-resource.ts'
import { propfind } from './dav-reports.ts'
import { askServer, type DavAnswer } from './dav-request.ts'
import { expectKind, failureOf } from './judge-answer.ts'
import { textAt } from './multistatus.ts'

type Precondition = { readonly 'If-None-Match': '*' } | { readonly 'If-Match': string }

/**
 * Writes a booking (RFC 4791, section 5.3.2): a new one under a name that follows from its UID, a known one only
 * as it was last seen. Throws `changed` when it is no longer that.
 */
export async function writeEvent(
  calendar: CaldavCalendar,
  event: CalendarEvent,
  known: Pick<WrittenEvent, 'id' | 'etag'> | null,
): Promise<WrittenEvent> {
  if (known !== null) return update(calendar, event, known)
  const name = `${encodeURIComponent(event.uid)}.ics`
  const id = idOf(`${calendar.url.replace(/\/*$/, '/')}${name}`, calendar.url)!
  const answer = await put(calendar, id, event, { 'If-None-Match': '*' })
  if (answer.status !== 412) return written(calendar, id, answer)
  // It was written before, and the answer got lost.
  const existing = await findOwn(calendar, id, event.uid)
  return update(calendar, event, existing)
}

async function update(
  calendar: CaldavCalendar,
  event: CalendarEvent,
  { id, etag }: Pick<WrittenEvent, 'id' | 'etag'>,
): Promise<WrittenEvent> {
  const answer = await put(calendar, id, event, { 'If-Match': etag === null ? '*' : strong(etag) })
  if ([404, 410, 412].includes(answer.status)) {
    throw new CalendarError('changed', 'The event was changed in the calendar.')
  }
  return written(calendar, id, answer)
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
  const failure = failureOf(answer)
  if (failure !== null) throw failure
  const etag = answer.headers.get('ETag') ?? (await findEtag(calendar, id))
  return { id, etag, meetingUrl: null }
}

/** A server that changed what it was given sends no etag (RFC 4791, section 5.3.4). */
async function findEtag(calendar: CaldavCalendar, id: string): Promise<string | null> {
  const { resources } = await propfind(calendar, urlOf(calendar, id), 0, ['D:getetag'])
  return textAt(resources[0]?.props, 'getetag')
}

async function findOwn(calendar: CaldavCalendar, id: string, uid: string) {
  const answer = await askServer(calendar, { method: 'GET', url: urlOf(calendar, id) })
  expectKind(answer, 'calendar')
  const { events } = readComponents(answer.body, new StepBudget())
  if (!events.some((event) => event.getFirstPropertyValue('uid') === uid)) {
    throw new CalendarError('changed', 'Another event has the name of this one.')
  }
  return { id, etag: answer.headers.get('ETag') ?? (await findEtag(calendar, id)) }
}

/** Compressing servers weaken etags, which then match nothing (RFC 9110, section 13.1.1). */
function strong(etag: string): string {
  return etag.replace(/^W\//, '')
}
