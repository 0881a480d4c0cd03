import { instantOf, wallTimeOf, zoneTable } from './local-time.ts'
import { DAY_MS } from './time-units.ts'

/** Limit of the starts of a series. */
export const MOST_IN_SERIES = 52

/**
 * Starts some weeks apart, at the same wall-clock time of a zone. A time that a clock change skips moves forward by the gap,
 * and one that happens twice is the earlier, on that date only. The first start is taken as it is.
 */
export function weeklyStarts(timeZone: string, first: number, everyWeeks: number, count: number): number[] {
  const stepMs = everyWeeks * 7 * DAY_MS
  const table = zoneTable(timeZone, first, first + count * stepMs)
  const wallTime = wallTimeOf(table, first)
  return Array.from({ length: count }, (_, at) =>
    at === 0 ? first : instantOf(table, wallTime + at * stepMs),
  )
}
