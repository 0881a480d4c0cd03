import { instantOf, wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'

/** When on the wall clock a member reads what the day brings. */
const AGENDA_AT_MS = 6 * HOUR_MS

/** The next time that it is six in the morning in the zone, after an instant. */
export function nextAgendaAt(timeZone: string, after: number): number {
  const table = zoneTable(timeZone, after, after + 2 * DAY_MS)
  const midnight = Math.floor(wallTimeOf(table, after) / DAY_MS) * DAY_MS
  const today = instantOf(table, midnight + AGENDA_AT_MS)
  return today > after ? today : instantOf(table, midnight + DAY_MS + AGENDA_AT_MS)
}
