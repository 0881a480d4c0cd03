import type { Interval } from '../../core/interval.ts'
import { ALL_CLEAR, type Unclear } from '../../platform/icalendar/unclear-events.ts'
import type { CalendarChanges, Since } from '../client/calendar-client.ts'
import { compareEtags } from '../client/compare-etags.ts'
import { printOf, readFeedEvents } from './feed-events.ts'
import { type Feed, fetchFeed, type Validators } from './fetch-feed.ts'

/** Grows when events are read in another way, so that a body that did not change is read again. */
const VERSION = 3

/** The body that was read last, the window that its events were read for, and what of them could not be understood. */
type Known = Validators & {
  readonly version: typeof VERSION
  readonly print: string
  readonly window: Interval
  readonly unclear: Unclear
}

/**
 * What happened in a feed, in the window of the first question. What its host says is unchanged is not read, what differs
 * in nothing but when it was written is not read again, and of the rest only what means something else is told.
 */
export async function listFeedChanges(
  feed: Feed,
  timeZone: string,
  wanted: Interval,
  since: Since,
  countsFree = false,
): Promise<CalendarChanges> {
  const known = readCursor(since.cursor)
  const unchanged = {
    changed: [],
    gone: [],
    isComplete: false,
    cursor: since.cursor,
    unclear: known?.unclear ?? ALL_CLEAR,
  }
  const fetched = await fetchFeed(feed, known)
  if (fetched === null) return unchanged
  const { text, etag, lastModified } = fetched
  const print = await printOf(text)
  if (known?.print === print) return unchanged
  const window = known?.window ?? wanted
  const { events, unclear } = await readFeedEvents(text, window, timeZone, countsFree)
  const told: Known = { version: VERSION, etag, lastModified, print, window, unclear }
  const cursor = JSON.stringify(told)
  if (known === null) return { changed: events, gone: [], isComplete: true, cursor, unclear }
  return { ...compareEtags(events, await since.etags()), cursor, unclear }
}

function readCursor(cursor: string | null): Known | null {
  try {
    const known = cursor === null ? null : (JSON.parse(cursor) as Known)
    return known?.version === VERSION ? known : null
  } catch {
    return null
  }
}
