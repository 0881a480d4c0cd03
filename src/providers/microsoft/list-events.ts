import { type Interval, overlaps } from '../../scheduling/interval.ts'
import { DAY_MS } from '../../scheduling/time-units.ts'
import { CalendarError, type ExternalEvent } from '../calendar/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { digestOf } from './digest.ts'
import { GraphEvent, intervalOf, isSeriesMaster, LIST_QUERY, readEvents, seriesOf } from './graph-event.ts'
import { listPages } from './list-pages.ts'

type Listing = { readonly events: readonly ExternalEvent[]; readonly skipped: number }

/** Graph makes pages of ten unless told, and of a thousand at most; larger ones take it long. */
const TOP = '500'
/** Fifty thousand occurrences: a hundred daily series, and room. */
const MAX_PAGES = 100

/**
 * The events that touch `range`, each series as one event with all its occurrences there; its etag tells them all. Graph
 * finds all-day events by the midnight of the zone that they were made in, so it is asked for a day more.
 */
export async function listGraphEvents(
  api: Api,
  path: string,
  range: Interval,
  timeZone: string | null,
  signal?: AbortSignal,
): Promise<Listing> {
  const request = { path: `${path}/calendarView`, query: { ...viewOf(range), ...LIST_QUERY, $top: TOP } }
  const items = await listPages(api, request, { most: MAX_PAGES, signal })
  if (items === null) throw new CalendarError('absent', 'The calendar is no longer in the account.')
  return readListing(items, timeZone, range)
}

/** https://learn.microsoft.com/graph/api/calendar-list-calendarview */
function viewOf({ start, end }: Interval): Record<string, string> {
  return {
    startDateTime: new Date(start - DAY_MS).toISOString(),
    endDateTime: new Date(end + DAY_MS).toISOString(),
  }
}

async function readListing(
  items: readonly unknown[],
  timeZone: string | null,
  within: Interval,
): Promise<Listing> {
  const known: GraphEvent[] = []
  let skipped = 0
  for (const item of items) {
    const { data } = GraphEvent.safeParse(item)
    if (!data) skipped += 1
    else if (!isSeriesMaster(data) && isNear(data, timeZone, within)) known.push(data)
  }
  const groups = Map.groupBy(known, (event) => seriesOf(event) ?? event.id)
  const read = await Promise.all(
    [...groups.values()].map((group) => readGroup(group as [GraphEvent, ...GraphEvent[]], timeZone, within)),
  )
  const events = read.filter((event) => event !== null)
  return { events, skipped: skipped + read.length - events.length }
}

/** Of an event without a sensible time, whoever reads it says so. */
function isNear(event: GraphEvent, timeZone: string | null, within: Interval): boolean {
  const time = intervalOf(event, timeZone)
  return time === null || overlaps(time, within) || (time.start === time.end && isIn(time.start, within))
}

function isIn(instant: number, { start, end }: Interval): boolean {
  return start <= instant && instant < end
}

async function readGroup(
  group: readonly [GraphEvent, ...GraphEvent[]],
  timeZone: string | null,
  within: Interval,
): Promise<ExternalEvent | null> {
  const event = readEvents(group, timeZone, within)
  if (event === null || seriesOf(group[0]) === null) return event
  const parts = group.map((one) => [one['@odata.etag'], one.start?.dateTime, one.end?.dateTime].join(' '))
  return { ...event, etag: await digestOf(parts) }
}
