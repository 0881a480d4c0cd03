import type { Interval } from '../../scheduling/interval.ts'
import { DAY_MS } from '../../scheduling/time-units.ts'

/**
 * The cursor of a calendar's API, the window whose changes it reports, the zone that dates were read in, and the ids of what was
 * not understood, which is told of again only once it changed.
 */
type SyncCursor = {
  readonly token: string
  readonly window: Interval
  readonly timeZone: string | null
  readonly skipped: readonly string[]
}

/** Of what is not understood, so much is remembered, in characters. */
const MOST_NAMED = 100_000

/** An API keeps to the window of its first answer while ours moves on: so long until everything is read again. */
const HEADROOM_MS = 30 * DAY_MS

/** The window to watch: wider than the wanted one, so that it still covers that a while later. */
export function widened({ start, end }: Interval): Interval {
  return { start: start - DAY_MS, end: end + HEADROOM_MS }
}

export function writeCursor({ token, window, timeZone, skipped }: SyncCursor): string {
  let room = MOST_NAMED
  const named = skipped.filter((id) => {
    room -= id.length
    return room >= 0
  })
  return JSON.stringify([window.start, window.end, token, timeZone, named])
}

type Written = [start: number, end: number, token: string, timeZone?: string | null, skipped?: string[]]

/** Null when it is not ours, or when `window` reaches beyond its window. */
export function readCursor(cursor: string | null, window: Interval): SyncCursor | null {
  if (cursor === null) return null
  try {
    const [start, end, token, timeZone = null, skipped = []] = JSON.parse(cursor) as Written
    if (window.start < start || end < window.end) return null
    return { token, window: { start, end }, timeZone, skipped }
  } catch {
    return null
  }
}
