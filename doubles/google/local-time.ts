import { isZone as isKnown, wallAt } from '../wall-clock.ts'

/** No offset is one. */
export function isZone(zone: unknown): zone is string {
  return isKnown(zone) && !/^[+-]/.test(zone)
}

/** RFC 3339 with the offset of the zone, whole seconds, `Z` where it is UTC. */
export function showInstant(zone: string, instant: number): string {
  const whole = Math.floor(instant / 1000) * 1000
  const wall = wallAt(zone, whole)
  const text = new Date(wall).toISOString().slice(0, 19)
  const minutes = Math.round((wall - whole) / 60_000)
  if (minutes === 0) return `${text}Z`
  const two = (number: number) => String(number).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${text}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/
const local = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?$/

/** Null if it is not RFC 3339 with an offset. */
export function readInstant(text: unknown): number | null {
  if (typeof text !== 'string' || !rfc3339.test(text)) return null
  const instant = Date.parse(text.toUpperCase().replace(' ', 'T'))
  return Number.isNaN(instant) ? null : instant
}

/** Null if it is not a time of day without an offset. */
export function readWall(text: string): number | null {
  return local.test(text) ? readInstant(`${text}Z`) : null
}

/** Null if it is not a date of the calendar. */
export function readDate(text: unknown): number | null {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const instant = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text) ? instant : null
}
