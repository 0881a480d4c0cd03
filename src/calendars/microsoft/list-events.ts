import { type Interval, overlaps } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { together, type Unclear, unclearEvent } from '../../platform/icalendar/unclear-events.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { digestOf } from './digest.ts'
import {
  GraphEvent,
  isSeriesMaster,
  LIST_QUERY,
  readEvents,
  seriesOf,
  timeOf,
  type ZoneNow,
} from './graph-event.ts'
import { listPages } from './list-pages.ts'

type Listing = { readonly events: readonly ExternalEvent[]; readonly unclear: Unclear }

/** Graph returns pages of ten by default and of a thousand at most; larger pages are slow. */
const TOP = '500'
/** Fifty thousand occurrences: a hundred daily series, and room. */
const MAX_PAGES = 100

/**
 * The events that touch `range`, each series as one event whose etag covers all occurrences. Graph finds all-day events by
 * midnight in the zone they were made in, so a day more is requested.
 */
export async function listGraphEvents(
  api: Api,
  path: string,
  range: Interval,
  zoneNow: ZoneNow,
  countsFree: boolean,
  signal?: AbortSignal,
): Promise<Listing> {
  const request = { path: `${path}/calendarView`, query: { ...viewOf(range), ...LIST_QUERY, $top: TOP } }
  const items = await listPages(api, request, { most: MAX_PAGES, signal })
  if (items === null) throw new CalendarError('absent', 'The calendar is no longer in the account.')
  return readListing(items, zoneNow, range, countsFree)
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
  zoneNow: ZoneNow,
  within: Interval,
  countsFree: boolean,
): Promise<Listing> {
  const told = items.flatMap((item) => GraphEvent.safeParse(item).data ?? [])
  const nameless = items.slice(told.length).map(() => unclearEvent({ uid: null, date: null }))
  const timeZone = told.some(({ isAllDay }) => isAllDay) ? await zoneNow() : null
  const known = told.filter((event) => !isSeriesMaster(event) && isNear(event, timeZone, within))
  const groups = Map.groupBy(known, (event) => seriesOf(event) ?? event.id)
  const read = await Promise.all(
    [...groups.values()].map((group) =>
      readGroup(group as [GraphEvent, ...GraphEvent[]], timeZone, within, countsFree),
    ),
  )
  const events = read.flatMap(({ event }) => event ?? [])
  const named = read.flatMap(({ unclear }) => (unclear === null ? [] : unclearEvent(unclear)))
  return { events, unclear: together([...named, ...nameless]) }
}

/** The reader reports events without a valid time. */
function isNear(event: GraphEvent, timeZone: string | null, within: Interval): boolean {
  const time = timeOf(event, timeZone)?.time ?? null
  return (
    time === null ||
    overlaps(time, within) ||
    (time.start === time.end && within.start <= time.start && time.start < within.end)
  )
}

async function readGroup(
  group: readonly [GraphEvent, ...GraphEvent[]],
  timeZone: string | null,
  within: Interval,
  countsFree: boolean,
): Promise<ReturnType<typeof readEvents>> {
  const read = readEvents(group, timeZone, within, countsFree)
  if (read.event === null || (seriesOf(group[0]) === null && !group[0].isAllDay)) return read
  const parts = group.map((one) =>
    [one['@odata.etag'], one.start?.dateTime, one.end?.dateTime, one.isAllDay && timeZone].join(' '),
  )
  return { ...read, event: { ...read.event, etag: await digestOf(parts) } }
}
