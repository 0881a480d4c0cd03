import * as z from 'zod'
import type { Interval } from '../../scheduling/interval.ts'
import { CalendarError, type ExternalEvent } from '../calendar/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { EVENT_QUERY, GraphEvent, isSeriesMaster, preferences, readEvents, seriesOf } from './graph-event.ts'

const Page = z.object({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
})

export type Listing = { readonly events: readonly ExternalEvent[]; readonly skipped: number }

const MAX_PAGES = 100
/** The largest pages that Graph makes; its default is ten events. */
const LIST_QUERY = { ...EVENT_QUERY, $top: '500' }

/**
 * Every page of a collection: each page links to the next (`@odata.nextLink`), the last one of a delta to what
 * will change (`@odata.deltaLink`). Null when Graph no longer knows the link.
 */
export async function listPages(
  api: Api,
  request: { readonly path: string; readonly query?: Readonly<Record<string, string>> },
  headers: ReturnType<typeof preferences>,
  signal?: AbortSignal,
): Promise<{ readonly items: readonly unknown[]; readonly deltaLink: string | null } | null> {
  const items: unknown[] = []
  let next = request
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { status, json } = await api({
      ...next,
      headers,
      expects: next.path.startsWith('/') ? [404, 410] : [400, 404, 410],
      signal,
    })
    if (status >= 400) return null
    const page = Page.safeParse(json)
    if (!page.success) throw new CalendarError('unusable', 'Microsoft 365 sent no list of events.')
    items.push(...page.data.value)
    const link = page.data['@odata.nextLink']
    if (link === undefined) return { items, deltaLink: page.data['@odata.deltaLink'] ?? null }
    next = { path: link }
  }
  throw new CalendarError('unusable', 'The Microsoft 365 calendar has more events than can be read.')
}

/** The events that touch `range`, each series as one event with all its occurrences there. */
export async function listGraphEvents(
  api: Api,
  path: string,
  range: Interval,
  timeZone: string | null,
  signal?: AbortSignal,
): Promise<Listing> {
  const request = { path: `${path}/calendarView`, query: { ...rangeQuery(range), ...LIST_QUERY } }
  const listing = await listPages(api, request, preferences(), signal)
  if (listing === null) throw new CalendarError('unusable', 'The calendar is no longer in the account.')
  return readListing(listing.items, timeZone, range)
}

/** One series in `range`; null when it no longer exists. */
export async function findSeries(
  api: Api,
  id: string,
  range: Interval,
  timeZone: string | null,
): Promise<Listing | null> {
  const path = `/me/events/${encodeURIComponent(id)}/instances`
  const query = { ...rangeQuery(range), ...LIST_QUERY }
  const listing = await listPages(api, { path, query }, preferences())
  return listing && readListing(listing.items, timeZone, range)
}

export function rangeQuery({ start, end }: Interval): Record<string, string> {
  return { startDateTime: new Date(start).toISOString(), endDateTime: new Date(end).toISOString() }
}

export function readListing(items: readonly unknown[], timeZone: string | null, within: Interval): Listing {
  const parsed = items.map((item) => GraphEvent.safeParse(item))
  const known = parsed.flatMap(({ data }) => (data && !isSeriesMaster(data) ? [data] : []))
  const groups = Map.groupBy(known, (event) => seriesOf(event) ?? event.id)
  const read = [...groups.values()].map((group) =>
    readEvents(group as [GraphEvent, ...GraphEvent[]], timeZone, within),
  )
  const events = read.filter((event) => event !== null)
  const unread = parsed.filter(({ success }) => !success).length
  return { events, skipped: unread + read.length - events.length }
}
