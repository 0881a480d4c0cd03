import type { Interval } from '../../scheduling/interval.ts'
import { DAY_MS } from '../../scheduling/time-units.ts'

/** The cursor of a calendar's API, and the window whose changes it reports. */
export type SyncCursor = { readonly token: string; readonly window: Interval }

/** An API keeps to the window of its first answer while ours moves on, so everything is read again once a day. */
const HEADROOM_MS = DAY_MS

/** The window to watch: wider than the wanted one, so that it still covers that a while later. */
export function widened({ start, end }: Interval): Interval {
  return { start: start - HEADROOM_MS, end: end + HEADROOM_MS }
}

export function writeCursor({ token, window }: SyncCursor): string {
  return JSON.stringify([window.start, window.end, token])
}

/** Null when it is not ours, or when `window` reaches beyond its window. */
export function readCursor(cursor: string | null, window: Interval): SyncCursor | null {
  if (cursor === null) return null
  try {
    const [start, end, token] = JSON.parse(cursor) as [number, number, string]
    return start <= window.start && window.end <= end ? { token, window: { start, end } } : null
  } catch {
    return null
  }
}
