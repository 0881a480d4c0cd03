import type { Interval } from './interval.ts'
import { dayAt, startOfDateIn, zoneTable } from './local-time.ts'
import { DAY_MS } from './time-units.ts'

/** How far ahead, and between which dates, starts are offered; dates are wall times of their midnights, both included. */
export type BookingWindow = {
  readonly timeZone: string
  readonly daysAhead: number | null
  readonly from: number | null
  readonly until: number | null
}

/** The instants at which a meeting may begin, as seen at `now`; empty where `until` is before `from`. */
export function bookableRange({ timeZone, daysAhead, from, until }: BookingWindow, now: number): Interval {
  const ends = [until === null ? Number.POSITIVE_INFINITY : startOfDateIn(timeZone, until + DAY_MS)]
  if (daysAhead !== null) ends.push(startOfDateIn(timeZone, (today(timeZone, now) + daysAhead + 1) * DAY_MS))
  return {
    start: from === null ? Number.NEGATIVE_INFINITY : startOfDateIn(timeZone, from),
    end: Math.min(...ends),
  }
}

/** When the zone's next date begins: a window of so many days ahead moves on then. */
export function nextDateAt(timeZone: string, now: number): number {
  return startOfDateIn(timeZone, (today(timeZone, now) + 1) * DAY_MS)
}

function today(timeZone: string, now: number): number {
  return dayAt(zoneTable(timeZone, now, now), now)
}
