import type { Interval } from '../../scheduling/interval.ts'
import { DAY_MS } from '../../scheduling/time-units.ts'

/** The cursor of a calendar's API, the window whose changes it reports, and the zone that dates were read in. */
type SyncCursor = {
  readonly token: string
  readonly window: Interval
  readonly timeZone: string | null
}

/** An API keeps to the window of its first answer while ours moves on: so long until everything is read again. */
const HEADROOM_MS = 30 * DAY_MS

/** The window to watch: wider than the wanted one, so that it still covers that a while later. */
export function widened({ start, end }: Interval): Interval {
  return { start: start - DAY_MS, end: end + HEADROOM_MS }
}

export function writeCursor({ token, window, timeZone }: SyncCursor): string {
  return JSON.stringify([window.start, window.end, token, timeZone])
}

/** Null when it is not ours, or when `window` reaches beyond its window. */
export function readCursor(cursor: string | null, window: Interval): SyncCursor | null {
  if (cursor === null) return null
  try {
    const [start, end, token, timeZone = null] = JSON.parse(cursor) as [number, number, string, string?]
    return start <= window.start && window.end <= end ? { token, window: { start, end }, timeZone } : null
  } catch {
    return null
  }
}
