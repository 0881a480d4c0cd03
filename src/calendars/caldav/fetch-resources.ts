import type { Interval } from '../../core/interval.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { StepBudget } from '../../platform/icalendar/step-budget.ts'
import { type Unclear, unclearEvent } from '../../platform/icalendar/unclear-events.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import { TooLongAnswer } from '../client/read-body.ts'
import { type CaldavCalendar, idOf, isItself, listedId, readResource } from './calendar-resource.ts'
import { multiget, propfind, queryRange } from './dav-reports.ts'
import { textAt } from './multistatus.ts'

type FetchedResources = {
  readonly events: readonly ExternalEvent[]
  /** Ids of what no longer exists, or holds no event. */
  readonly gone: readonly string[]
  /** What could not be understood, by the ids of their resources. */
  readonly unclear: ReadonlyMap<string, Unclear>
}

const CHUNK = 100

/** What is not sent, or is too long, has no name that is known. */
const NAMELESS = { uid: null, date: null }

/**
 * The named events as they are now. They are asked for a hundred at a time, and fewer where that makes an answer
 * that is too long or is 404; an event that alone is too long is left out.
 */
export async function fetchResources(
  calendar: CaldavCalendar,
  ids: readonly string[],
  window: Interval,
  signal?: AbortSignal,
): Promise<FetchedResources> {
  const budget = new StepBudget()
  const chunks: (readonly string[])[] = []
  for (let from = 0; from < ids.length; from += CHUNK) chunks.push(ids.slice(from, from + CHUNK))
  const events: ExternalEvent[] = []
  const gone: string[] = []
  const unclear = new Map<string, Unclear>()
  for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
    try {
      const found = await fetchChunk(calendar, chunk, window, budget, signal)
      events.push(...found.events)
      gone.push(...found.gone)
      for (const [id, one] of found.unclear) unclear.set(id, one)
    } catch (error) {
      const isGone = isAbsent(error)
      if (!(error instanceof TooLongAnswer || isGone)) throw error
      const half = Math.ceil(chunk.length / 2)
      if (chunk.length > 1) chunks.unshift(chunk.slice(0, half), chunk.slice(half))
      else if (isGone) gone.push(...(await goneFrom(calendar, chunk)))
      else unclear.set(chunk[0]!, unclearEvent(NAMELESS))
    }
  }
  return { events, gone, unclear }
}

function isAbsent(error: unknown): boolean {
  return error instanceof CalendarError && error.failure === 'absent'
}

/** SabreDAV says 404 of a whole answer until 1.8. Only a calendar that answers can say that an event of it is gone. */
async function goneFrom(calendar: CaldavCalendar, ids: readonly string[]): Promise<readonly string[]> {
  await propfind(calendar, calendar.url, 0, ['D:resourcetype'])
  return ids
}

async function fetchChunk(
  calendar: CaldavCalendar,
  ids: readonly string[],
  window: Interval,
  budget: StepBudget,
  signal?: AbortSignal,
): Promise<FetchedResources> {
  const hrefs = ids.map((id) => calendar.spellings.get(id) ?? id)
  const { resources } = await multiget(calendar, calendar.url, hrefs, signal)
  const events: ExternalEvent[] = []
  const missing = new Set(ids)
  const unclear = new Map<string, Unclear>()
  for (const { href, status, props } of resources) {
    const id = idOf(href, calendar.url)
    const data = textAt(props, 'calendar-data')
    // Some servers leave out what is gone instead of reporting it.
    if (id === null || !missing.has(id) || status === 404 || status === 410) continue
    if (data === null) {
      if (status !== null || textAt(props, 'getetag') !== null) {
        missing.delete(id)
        unclear.set(id, unclearEvent(NAMELESS))
      }
      continue
    }
    const read = await readResource(calendar, id, textAt(props, 'getetag'), data, window, budget)
    if (read.unclear.count > 0) unclear.set(id, read.unclear)
    if (read.event !== null) events.push(read.event)
    // What cannot be understood is not gone.
    if (read.event !== null || read.isCut) missing.delete(id)
  }
  return { events, gone: [...missing], unclear }
}

/** The ids and etags of the events that touch the window. */
export async function listEtags(
  calendar: CaldavCalendar,
  window: Interval,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string | null>> {
  const resources = await queryRange(calendar, calendar.url, window, ['D:getetag'], signal)
  const etags = new Map<string, string | null>()
  for (const { href, props } of resources) {
    const id = listedId(calendar, href)
    if (id !== null && !isItself(calendar, id)) etags.set(id, textAt(props, 'getetag'))
  }
  return etags
}
