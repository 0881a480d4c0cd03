import type { Interval } from '../../scheduling/interval.ts'
import { DAY_MS } from '../../scheduling/local-time.ts'

/** Where a calendar's API goes on from, and the window that it reports changes of. */
export type SyncCursor = { readonly token: string; readonly window: Interval }

/** An API keeps to the window of its first answer while ours moves on: once a day, everything is asked anew. */
const HEADROOM_MS = DAY_MS

/** The window to ask an API to report changes of, so that a while later it still holds the one asked for. */
export function widened({ start, end }: Interval): Interval {
  return { start: start - HEADROOM_MS, end: end + HEADROOM_MS }
}

export function writeCursor({ token, window }: SyncCursor): string {
  return JSON.stringify([window.start, window.end, token])
}

/** Null when it is none of ours or when `window` reaches beyond its window. */
export function readCursor(cursor: string | null, window: Interval): SyncCursor | null {
  if (cursor === null) return null
  try {
    const [start, end, token] = JSON.parse(cursor) as [number, number, string]
    return start <= window.start && window.end <= end ? { token, window: { start, end } } : null
  } catch {
    return null
  }
}
