import type { Interval } from './interval.ts'
import { dateInZone, startOfDateIn } from './local-time.ts'
import { DAY_MS } from './time-units.ts'

/** How far ahead, and between which dates, starts are offered; dates are wall times of their midnights, both included. */
export type BookingWindow = {
  readonly timeZone: string
  readonly daysAhead: number | null
  readonly from: number | null
  readonly until: number | null
}

/** The span in which a meeting may begin, as seen at `now`; empty if `until` is before `from`. */
export function bookableRange(window: BookingWindow, now: number): Interval {
  const { start, end } = datesOf(window)
  return { start, end: Math.min(end, reachOf(window, now)) }
}

/** Whether a meeting that begins at `start` is too many days ahead of `now`, and whether it is outside the dates. */
export function outsideWindow(
  window: BookingWindow,
  start: number,
  now: number,
): { readonly isTooFar: boolean; readonly isOffDates: boolean } {
  const dates = datesOf(window)
  return {
    isTooFar: start >= reachOf(window, now),
    isOffDates: start < dates.start || start >= dates.end,
  }
}

function datesOf({ timeZone, from, until }: BookingWindow): Interval {
  return {
    start: from === null ? Number.NEGATIVE_INFINITY : startOfDateIn(timeZone, from),
    end: until === null ? Number.POSITIVE_INFINITY : startOfDateIn(timeZone, until + DAY_MS),
  }
}

/** The end of the last date within `daysAhead`. */
function reachOf({ timeZone, daysAhead }: BookingWindow, now: number): number {
  if (daysAhead === null) return Number.POSITIVE_INFINITY
  return startOfDateIn(timeZone, dateInZone(timeZone, now) + (daysAhead + 1) * DAY_MS)
}

/** When the zone's next date begins: a window of days ahead moves on then. */
export function nextDateAt(timeZone: string, now: number): number {
  return startOfDateIn(timeZone, dateInZone(timeZone, now) + DAY_MS)
}
