import { DAY_MS } from '../../core/time-units.ts'
import { windowStart } from './window.ts'

/** How many calls were counted on the UTC day that began at `start`. */
export type DayCalls = { readonly start: number; readonly calls: number }

/** Enough for the longest period of any request, and a day more. */
const KEPT_DAYS = 31

/**
 * Counts one call on the day of `now`. Only the days nearest to it are kept: the latest ones, unless a
 * clock was ahead, as those of sandboxes were that once counted here by their own.
 */
export function countDay(days: readonly DayCalls[], now: number): readonly DayCalls[] {
  const start = windowStart(now, DAY_MS)
  const calls = 1 + (days.find((day) => day.start === start)?.calls ?? 0)
  return [{ start, calls }, ...days.filter((day) => day.start !== start)]
    .sort((a, b) => Math.abs(a.start - start) - Math.abs(b.start - start))
    .slice(0, KEPT_DAYS)
}

/** The calls of the days that began within `[from, to]`. */
export function sumDays(days: readonly DayCalls[], from: number, to: number): number {
  return days.reduce((sum, { start, calls }) => (start >= from && start <= to ? sum + calls : sum), 0)
}
