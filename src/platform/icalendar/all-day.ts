import type { Interval } from '../../core/interval.ts'
import { isTimeZone, parseDate, startOfDate, zoneTable } from '../../core/local-time.ts'

/**
 * From the first instant of one date to the first of another (`YYYY-MM-DD`, the latter not included) in a zone;
 * without a known zone, in UTC. Null when either is no date.
 */
export function datesToInterval(from: string, until: string, timeZone: string | null): Interval | null {
  const [first, last] = [parseDate(from), parseDate(until)]
  if (first === null || last === null) return null
  const zone = timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC'
  // Each with a table of its own, however long the event lasts.
  const at = (midnight: number) => startOfDate(zoneTable(zone, midnight, midnight), midnight)
  return { start: at(first), end: at(last) }
}
