import * as z from 'zod'
import { type Interval, overlaps } from '../../scheduling/interval.ts'
import type { CalendarChanges, ExternalEvent } from '../calendar/calendar-client.ts'
import { readCursor, type SyncCursor, widened, writeCursor } from '../calendar/sync-cursor.ts'
import type { Api } from '../oauth/api.ts'
import { findGraphEvent } from './find-event.ts'
import { GraphEvent, preferences, seriesOf } from './graph-event.ts'
import { findSeries, listGraphEvents, listPages, rangeQuery, readListing } from './list-events.ts'

const Removed = z.object({ id: z.string(), '@removed': z.unknown() }).refine((item) => item['@removed'])

/** The delta sends whole events with their texts, so its pages are smaller. */
const DELTA_PAGE_SIZE = 50
/** With more changed series than this, everything is read again instead. */
const MAX_SERIES = 20
/** With more removed events than this, they are not looked up one by one. */
const MAX_LOOKUPS = 20

/**
 * What changed: https://learn.microsoft.com/graph/delta-query-events. The delta of a calendar view tells of the
 * occurrences of a series little more than their times, and nothing about deleted ones, so a series that it
 * names is read as a whole, and at first only its link is used.
 */
export async function listGraphChanges(
  api: Api,
  path: string,
  window: Interval,
  timeZone: string | null,
  cursor: string | null,
): Promise<CalendarChanges> {
  const known = readCursor(cursor, window)
  const changes = known && (await listSince(api, path, timeZone, known))
  if (changes) return changes
  const wide = widened(window)
  const request = { path: `${path}/calendarView/delta`, query: rangeQuery(wide) }
  // First the link, then the events: a change in between is reported again.
  const delta = await listPages(api, request, preferences(DELTA_PAGE_SIZE))
  const { events, skipped } = await listGraphEvents(api, path, wide, timeZone)
  const next = delta?.deltaLink ? writeCursor({ token: delta.deltaLink, window: wide }) : null
  return { changed: events, gone: [], isComplete: true, cursor: next, skipped }
}

/** Null when everything must be read again. */
async function listSince(
  api: Api,
  path: string,
  timeZone: string | null,
  { token, window }: SyncCursor,
): Promise<CalendarChanges | null> {
  const delta = await listPages(api, { path: token }, preferences(DELTA_PAGE_SIZE))
  if (delta?.deltaLink == null) return null
  const cursor = writeCursor({ token: delta.deltaLink, window })
  const removed = delta.items.flatMap((item) => Removed.safeParse(item).data?.id ?? [])
  const items = delta.items.filter((item) => !Removed.safeParse(item).success)
  const parsed = items.map((item) => ({ item, series: seriesOfItem(item) }))
  const series = [...new Set(parsed.flatMap((one) => one.series ?? []))]
  const single = readListing(
    parsed.filter((one) => one.series === null).map(({ item }) => item),
    timeZone,
    window,
  )
  if (series.length > MAX_SERIES) {
    const { events, skipped } = await listGraphEvents(api, path, window, timeZone)
    return { changed: events, gone: [], isComplete: true, cursor, skipped }
  }
  const changed: ExternalEvent[] = [...single.events]
  const gone: string[] = []
  for (const [index, id] of removed.entries()) {
    const moved = index < MAX_LOOKUPS ? await findElsewhere(api, id, window, timeZone) : null
    if (moved) changed.push(moved)
    else gone.push(id)
  }
  let { skipped } = single
  for (const id of series) {
    const listing = await findSeries(api, id, window, timeZone)
    changed.push(...(listing?.events ?? []))
    skipped += listing?.skipped ?? 0
    if (listing === null || listing.events.length + listing.skipped === 0) gone.push(id)
  }
  return { changed, gone, isComplete: false, cursor, skipped }
}

/** To the delta, an event that was moved out of the window is as gone as one that was deleted. */
async function findElsewhere(
  api: Api,
  id: string,
  window: Interval,
  timeZone: string | null,
): Promise<ExternalEvent | null> {
  const event = await findGraphEvent(api, id, timeZone)
  // An event that should be in the window is in another calendar now.
  return event?.time && !overlaps(event.time, window) ? { ...event, busy: [] } : null
}

function seriesOfItem(item: unknown): string | null {
  const { data } = GraphEvent.safeParse(item)
  return data ? seriesOf(data) : null
}
