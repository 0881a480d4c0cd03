import type { Interval } from '../../core/interval.ts'
import { together, unclearEvent } from '../../platform/icalendar/unclear-events.ts'
import type { CalendarChanges, ExternalEvent, Since } from '../client/calendar-client.ts'
import { readCursor, type UnclearById, widened, writeCursor } from '../client/sync-cursor.ts'
import type { Api } from '../oauth/api.ts'
import { completeCutSeries } from './cut-series.ts'
import { rangeQuery } from './range-query.ts'
import { type Listing, readPages } from './read-pages.ts'

/** The same in every list: a sync token goes with no other. Each occurrence of a series comes as an event of its own. */
const SINGLE = { singleEvents: 'true' }

/** The events of a calendar that touch `range`. */
export async function listGoogleEvents(
  api: Api,
  path: string,
  range: Interval,
  countsFree: boolean,
  signal?: AbortSignal,
): Promise<readonly ExternalEvent[]> {
  const listing = await readPages(api, {
    path,
    query: { ...SINGLE, ...rangeQuery(range) },
    within: range,
    countsFree,
    signal,
  })
  return listing!.events
}

/**
 * Incremental synchronization: https://developers.google.com/workspace/calendar/api/guides/sync. A token allows no timeMin or
 * timeMax. For 410 (forgotten token) and 400 (broken token) everything is read again.
 */
export async function listGoogleChanges(
  api: Api,
  path: string,
  window: Interval,
  countsFree: boolean,
  { cursor, etags }: Since,
): Promise<CalendarChanges> {
  const known = readCursor(cursor, window)
  if (known) {
    const query = { ...SINGLE, syncToken: known.token }
    const changes = await readPages(api, {
      path,
      query,
      within: known.window,
      countsFree,
      expects: [400, 410],
    })
    // All-day events move with the zone of their calendar and are not listed as changed.
    const isSameZone = changes?.timeZone === known.timeZone
    const whole =
      changes && isSameZone
        ? await completeCutSeries(
            api,
            path,
            { within: known.window, countsFree },
            withUnclear(changes, known.unclear),
            etags,
          )
        : null
    if (whole) return toChanges(whole, known.window, false)
  }
  const wide = widened(window)
  const all = await readPages(api, {
    path,
    query: { ...SINGLE, ...rangeQuery(wide) },
    within: wide,
    countsFree,
  })
  return toChanges(all!, wide, true)
}

/** With what was unclear before, too, and has not changed. */
function withUnclear(changes: Listing, before: readonly UnclearById[]): Listing {
  const told = new Set([...[...changes.events, ...changes.unclear].map(({ id }) => id), ...changes.gone])
  return { ...changes, unclear: [...before.filter(({ id }) => !told.has(id)), ...changes.unclear] }
}

function toChanges(listing: Listing, window: Interval, isComplete: boolean): CalendarChanges {
  const { events, gone, unclear, syncToken, timeZone } = listing
  const cursor = syncToken === null ? null : writeCursor({ token: syncToken, window, timeZone, unclear })
  const all = together(unclear.map(({ uid, date }) => unclearEvent({ uid, date })))
  return { changed: events, gone, isComplete, cursor, unclear: all }
}
