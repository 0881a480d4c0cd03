import type { Interval } from '../../core/interval.ts'
import { isTimeZone, parseDate, startOfDate, zoneTable } from '../../core/local-time.ts'

/**
 * From the start of one date to the start of another (`YYYY-MM-DD`, exclusive) in a zone, UTC if it is unknown. Null if either is
 * not a date.
 */
export function datesToInterval(from: string, until: string, timeZone: string | null): Interval | null {
  const [first, last] = [parseDate(from), parseDate(until)]
  if (first === null || last === null) return null
  const zone = timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC'
  // Each with a table of its own, however long the event lasts.
  const at = (midnight: number) => startOfDate(zoneTable(zone, midnight, midnight), midnight)
  return { start: at(first), end: at(last) }
}
