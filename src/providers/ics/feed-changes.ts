import type { Interval } from '../../scheduling/interval.ts'
import type { CalendarChanges, Since } from '../calendar/calendar-client.ts'
import { compareEtags } from '../calendar/compare-etags.ts'
import { printOf, readFeedEvents } from './feed-events.ts'
import { type Feed, fetchFeed, type Validators } from './fetch-feed.ts'

/** The body that was read last, the window that its events were read for, and how many of them were left out. */
type Known = Validators & { readonly print: string; readonly window: Interval; readonly skipped?: number }

/**
 * What happened in a feed, in the window of the first question. What its host says is unchanged is not read, what differs
 * in nothing but when it was written is not read again, and of the rest only what means something else is told.
 */
export async function listFeedChanges(
  feed: Feed,
  timeZone: string,
  wanted: Interval,
  since: Since,
): Promise<CalendarChanges> {
  const known = readCursor(since.cursor)
  const unchanged = {
    changed: [],
    gone: [],
    isComplete: false,
    cursor: since.cursor,
    skipped: known?.skipped ?? 0,
  }
  const fetched = await fetchFeed(feed, known)
  if (fetched === null) return unchanged
  const { text, etag, lastModified } = fetched
  const print = await printOf(text)
  if (known?.print === print) return unchanged
  const window = known?.window ?? wanted
  const { events, skipped } = await readFeedEvents(text, window, timeZone)
  const cursor = JSON.stringify({ etag, lastModified, print, window, skipped } satisfies Known)
  if (known === null) return { changed: events, gone: [], isComplete: true, cursor, skipped }
  return { ...compareEtags(events, await since.etags()), cursor, skipped }
}

function readCursor(cursor: string | null): Known | null {
  try {
    return cursor === null ? null : (JSON.parse(cursor) as Known)
  } catch {
    return null
  }
}
