import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { EventName } from '../../platform/icalendar/unclear-events.ts'

/** An event that is unclear, under the id that the API gives it; empty where it has none. */
export type UnclearById = EventName & { readonly id: string }

/**
 * The cursor of a calendar's API, the window whose changes it reports, the zone that dates were read in, and what was unclear,
 * which the API sends again only once it changed.
 */
type SyncCursor = {
  readonly token: string
  readonly window: Interval
  readonly timeZone: string | null
  readonly unclear: readonly UnclearById[]
}

/** Grows when events are read in another way, so that all of them are read again. */
const VERSION = 2

/** Of what is unclear, so much is remembered, in characters. */
const MOST_NAMED = 100_000

/** An API keeps to the window of its first answer while ours moves on: so long until everything is read again. */
const HEADROOM_MS = 30 * DAY_MS

/** The window to watch: wider than the wanted one, so that it still covers that a while later. */
export function widened({ start, end }: Interval): Interval {
  return { start: start - DAY_MS, end: end + HEADROOM_MS }
}

export function writeCursor({ token, window, timeZone, unclear }: SyncCursor): string {
  let room = MOST_NAMED
  const named = unclear.filter(({ id, uid }) => {
    room -= id.length + (uid?.length ?? 0)
    return room >= 0
  })
  return JSON.stringify([VERSION, window.start, window.end, token, timeZone, named] satisfies Written)
}

type Written = [
  version: number,
  start: number,
  end: number,
  token: string,
  timeZone: string | null,
  unclear: readonly UnclearById[],
]

/** Null when it is not ours, or when `window` reaches beyond its window. */
export function readCursor(cursor: string | null, window: Interval): SyncCursor | null {
  if (cursor === null) return null
  try {
    const [version, start, end, token, timeZone, unclear] = JSON.parse(cursor) as Written
    if (version !== VERSION || window.start < start || end < window.end) return null
    return { token, window: { start, end }, timeZone, unclear }
  } catch {
    return null
  }
}
