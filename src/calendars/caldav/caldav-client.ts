import { type Interval, overlaps } from '../../core/interval.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { StepBudget } from '../../platform/icalendar/step-budget.ts'
import type { CalendarClient, ExternalEvent } from '../client/calendar-client.ts'
import { TooLongAnswer } from '../client/read-body.ts'
import { type CaldavCalendar, idOf, readResource, urlOf } from './calendar-resource.ts'
import { queryRange } from './dav-reports.ts'
import { askServer } from './dav-request.ts'
import { etagOf } from './event-etag.ts'
import { fetchResources, listEtags } from './fetch-resources.ts'
import { expectCalendar } from './judge-answer.ts'
import { listChanges } from './list-changes.ts'
import { textAt } from './multistatus.ts'
import { removeEvent } from './remove-event.ts'
import { writeEvent } from './write-event.ts'

/**
 * A calendar on a CalDAV server (RFC 4791). Of our own rather than tsdav's, which reads answers of any length,
 * follows redirects to any host with the password, waits without limit and hides etags from its callers.
 */
export function createCaldavClient(calendar: CaldavCalendar): CalendarClient {
  return {
    listChanges: (window, since) => listChanges(calendar, window, since),
    listEvents: (range, signal) => listEvents(calendar, range, signal),
    findEvent: (id) => findEvent(calendar, id),
    writeEvent: (event, known) => writeEvent(calendar, event, known),
    removeEvent: (id) => removeEvent(calendar, id),
  }
}

/** The server is asked for a while more than `range`. */
async function listEvents(
  calendar: CaldavCalendar,
  range: Interval,
  signal?: AbortSignal,
): Promise<readonly ExternalEvent[]> {
  const isNear = ({ time, busy }: ExternalEvent) =>
    busy.length > 0 || (time !== null && overlaps(time, range))
  return (await listNearby(calendar, range, signal)).filter(isNear)
}

async function listNearby(
  calendar: CaldavCalendar,
  range: Interval,
  signal?: AbortSignal,
): Promise<readonly ExternalEvent[]> {
  const names = ['D:getetag', 'C:calendar-data'] as const
  const resources = await queryRange(calendar, calendar.url, range, names, signal).catch((error) => {
    if (error instanceof TooLongAnswer) return null
    throw error
  })
  if (resources === null) {
    const ids = [...(await listEtags(calendar, range, signal)).keys()]
    return (await fetchResources(calendar, ids, range, signal)).events
  }
  const budget = new StepBudget()
  const events: ExternalEvent[] = []
  for (const { href, props } of resources) {
    const [id, data] = [idOf(href, calendar.url), textAt(props, 'calendar-data')]
    if (id === null || data === null) continue
    const { event } = await readResource(calendar, id, textAt(props, 'getetag'), data, range, budget)
    if (event !== null) events.push(event)
  }
  return events
}

async function findEvent(calendar: CaldavCalendar, id: string): Promise<ExternalEvent | null> {
  const answer = await askServer(calendar, { method: 'GET', url: urlOf(calendar, id) })
  if (answer.status === 404 || answer.status === 410) return null
  expectCalendar(answer)
  const etag = await etagOf(calendar, id, answer)
  const budget = new StepBudget()
  const read = (window: Interval) => readResource(calendar, id, etag, answer.body, window, budget)
  const { event, isCut } = await read({ start: 0, end: 0 })
  if (event === null && isCut) {
    throw new CalendarError('unusable', 'The event in the calendar cannot be read.')
  }
  return event?.time ? (await read(event.time)).event : event
}
