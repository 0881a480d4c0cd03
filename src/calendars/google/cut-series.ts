import type { Interval } from '../../core/interval.ts'
import type { Since } from '../client/calendar-client.ts'
import type { Api } from '../oauth/api.ts'
import { rangeQuery } from './range-query.ts'
import { type Listing, readPages } from './read-pages.ts'

/** With more of them, one list of everything takes fewer requests. */
const MAX_SERIES = 8

/** What follows the id of its series in the id of an occurrence: its first start, as a date or in UTC. */
const ORIGINAL_START = /^_\d{8}(T\d{6}Z)?$/

type Reading = { readonly within: Interval; readonly countsFree: boolean }

/**
 * Corrects each series that lost occurrences: for a deleted series Google lists only half a year of them
 * (https://github.com/googleapis/google-api-ruby-client/issues/860), so the known ones are compared with the existing ones. Null
 * if reading everything again is better.
 */
export async function completeCutSeries(
  api: Api,
  path: string,
  reading: Reading,
  changes: Listing,
  etags: Since['etags'],
): Promise<Listing | null> {
  const { cut } = changes
  if (cut.size === 0) return changes
  const isNamedBySeries = [...cut].every(([id, gone]) => gone.every((one) => isOccurrenceOf(id, one)))
  if (!isNamedBySeries || cut.size > MAX_SERIES) return null
  const known = [...(await etags()).keys()]
  let { events, gone, unclear } = changes
  for (const id of cut.keys()) {
    const left = await listOccurrences(api, path, reading, id)
    const isLeft = new Set(left?.events.map((event) => event.id))
    events = [...events.filter((event) => !isOccurrenceOf(id, event.id)), ...(left?.events ?? [])]
    gone = [...gone, ...known.filter((one) => isOccurrenceOf(id, one))].filter((one) => !isLeft.has(one))
    unclear = [...unclear.filter((one) => !isOccurrenceOf(id, one.id)), ...(left?.unclear ?? [])]
  }
  return { ...changes, events, gone: [...new Set(gone)], unclear }
}

/** Null where there is no such series: it was deleted, or is a single event now. */
function listOccurrences(
  api: Api,
  path: string,
  { within, countsFree }: Reading,
  seriesId: string,
): Promise<Listing | null> {
  return readPages(api, {
    path: `${path}/${encodeURIComponent(seriesId)}/instances`,
    query: rangeQuery(within),
    within,
    countsFree,
    expects: [400, 404, 410],
  })
}

function isOccurrenceOf(seriesId: string, id: string): boolean {
  return id.startsWith(seriesId) && ORIGINAL_START.test(id.slice(seriesId.length))
}
