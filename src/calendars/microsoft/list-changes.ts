import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { CalendarChanges, Since } from '../client/calendar-client.ts'
import { compareEtags } from '../client/compare-etags.ts'
import type { Api } from '../oauth/api.ts'
import { digestOf } from './digest.ts'
import type { ZoneNow } from './graph-event.ts'
import { listGraphEvents } from './list-events.ts'

/** What a listing had, and where its view began. */
type Known = { readonly start: number; readonly digest: string }

const VERSION = 'view1'
/** The end of the view moves in such steps, so that what is far away comes into it seldom. */
const STEP_MS = 7 * DAY_MS

/**
 * Finds changes by comparing etags: the delta of a calendar view never ends if a series has more occurrences than a page
 * (https://github.com/microsoftgraph/msgraph-sdk-dotnet/issues/3070). The view keeps its start, so that past events do not seem
 * deleted.
 */
export async function listGraphChanges(
  api: Api,
  path: string,
  window: Interval,
  zoneNow: ZoneNow,
  countsFree: boolean,
  since: Since,
): Promise<CalendarChanges> {
  const known = readCursor(since.cursor, window)
  const view = {
    start: known?.start ?? window.start,
    end: Math.ceil(window.end / STEP_MS) * STEP_MS,
  }
  const { events, unclear } = await listGraphEvents(api, path, view, zoneNow, countsFree)
  const digest = await digestOf(events.map(({ id, etag }) => `${id} ${etag}`))
  const cursor = [VERSION, view.start, digest].join(' ')
  if (!known) return { changed: events, gone: [], isComplete: true, cursor, unclear }
  if (known.digest === digest && !since.isThorough)
    return { changed: [], gone: [], isComplete: false, cursor, unclear }
  return { ...compareEtags(events, await since.etags()), cursor, unclear }
}

/** Null when it is not ours, or when `window` begins before its view. */
function readCursor(cursor: string | null, window: Interval): Known | null {
  const [version, from, digest] = cursor?.split(' ') ?? []
  const start = Number(from)
  return version === VERSION && digest !== undefined && start <= window.start ? { start, digest } : null
}
