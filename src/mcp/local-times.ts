import { formatDate, wallTimeOf, zoneTable } from '../core/local-time.ts'
import { MINUTE_MS } from '../core/time-units.ts'

/** What is added to each time, in the requested zone. */
const LOCAL_NAMES: Readonly<Record<string, string>> = {
  start_time: 'local_start',
  previous_start_time: 'local_previous_start',
  expires_at: 'local_expires',
  held_until: 'local_held_until',
  next_available: 'local_next_available',
  alternatives: 'local_alternatives',
}

/** The same with every time in the zone as well, wherever it is. */
export function withLocalTimes(value: unknown, timeZone: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withLocalTimes(one, timeZone))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const local = LOCAL_NAMES[name] && localOf(inner, timeZone)
      const told = [name, name === 'metadata' || name === 'answers' ? inner : withLocalTimes(inner, timeZone)]
      return local ? [told, [LOCAL_NAMES[name], local]] : [told]
    }),
  )
}

function localOf(value: unknown, timeZone: string): string | string[] | null {
  if (Array.isArray(value)) return value.filter(isTime).map((one) => localTime(one, timeZone))
  return isTime(value) ? localTime(value, timeZone) : null
}

/** A refusal has a sentence under the same name. */
function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
}

/** `2026-03-09T14:30:00+01:00`: the wall clock of the zone at that instant, and how far it is from UTC. */
export function localTime(time: string, timeZone: string): string {
  const instant = Date.parse(time)
  const wallTime = wallTimeOf(zoneTable(timeZone, instant, instant), instant)
  const minutes = Math.round((wallTime - instant) / MINUTE_MS)
  const two = (number: number) => String(number).padStart(2, '0')
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
  return `${formatDate(wallTime)}T${new Date(wallTime).toISOString().slice(11, 19)}${offset}`
}
