import { instantOf, wallTimeOf, zoneTable } from '../../core/local-time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import { usableZone } from '../../platform/i18n/format.ts'

/** No text is sent from 21:00 to 8:00 of the invitee's day. */
const QUIET_FROM_MS = 21 * HOUR_MS
const QUIET_TO_MS = 8 * HOUR_MS
/** A reminder of the quiet hours comes shortly before them. */
const BEFORE_QUIET_MS = 5 * MINUTE_MS

function dayOf(instant: number, timeZone: string) {
  const table = zoneTable(usableZone(timeZone), instant, instant)
  const wall = wallTimeOf(table, instant)
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS
  return { table, midnight, timeOfDay: wall - midnight }
}

export function isQuiet(instant: number, timeZone: string): boolean {
  const { timeOfDay } = dayOf(instant, timeZone)
  return timeOfDay >= QUIET_FROM_MS || timeOfDay < QUIET_TO_MS
}

/** When a reminder that is due then is sent: at once, or before the quiet hours. */
export function beforeQuiet(due: number, timeZone: string): number {
  if (!isQuiet(due, timeZone)) return due
  const { table, midnight, timeOfDay } = dayOf(due, timeZone)
  const evening = timeOfDay < QUIET_TO_MS ? midnight - DAY_MS : midnight
  return instantOf(table, evening + QUIET_FROM_MS - BEFORE_QUIET_MS)
}

/** When something else is sent: at once, or after the quiet hours. */
export function afterQuiet(instant: number, timeZone: string): number {
  if (!isQuiet(instant, timeZone)) return instant
  const { table, midnight, timeOfDay } = dayOf(instant, timeZone)
  const morning = timeOfDay < QUIET_TO_MS ? midnight : midnight + DAY_MS
  return instantOf(table, morning + QUIET_TO_MS)
}
