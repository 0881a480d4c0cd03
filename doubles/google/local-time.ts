const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formatters.set(zone, made)
  return made
}

export function isZone(zone: unknown): zone is string {
  if (typeof zone !== 'string' || !zone || /^[+-]/.test(zone)) return false
  try {
    formatterOf(zone)
    return true
  } catch {
    return false
  }
}

/** What the clock on the wall says, as if it were UTC. */
export function wallOf(zone: string, instant: number): number {
  const part: Record<string, number> = {}
  for (const { type, value } of formatterOf(zone).formatToParts(instant)) part[type] = Number(value)
  return Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!)
}

/** The instant when the clock on the wall says so; the first of two, and behind a gap where there is none. */
export function instantOf(zone: string, wall: number): number {
  const offset = (instant: number) => wallOf(zone, instant) - instant
  const before = wall - offset(wall - 86_400_000)
  if (before + offset(before) === wall) return before
  const after = wall - offset(wall + 86_400_000)
  return after + offset(after) === wall ? after : before
}

/** RFC 3339 with the offset of the zone, whole seconds, `Z` where it is UTC. */
export function showInstant(zone: string, instant: number): string {
  const whole = Math.floor(instant / 1000) * 1000
  const wall = wallOf(zone, whole)
  const text = new Date(wall).toISOString().slice(0, 19)
  const minutes = Math.round((wall - whole) / 60_000)
  if (minutes === 0) return `${text}Z`
  const two = (number: number) => String(number).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${text}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/
const local = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?$/

/** Null where it is no RFC 3339 with an offset. */
export function readInstant(text: unknown): number | null {
  if (typeof text !== 'string' || !rfc3339.test(text)) return null
  const instant = Date.parse(text.toUpperCase().replace(' ', 'T'))
  return Number.isNaN(instant) ? null : instant
}

/** Null where it is no time of day without an offset. */
export function readWall(text: string): number | null {
  return local.test(text) ? readInstant(`${text}Z`) : null
}

/** Null where it is no date of the calendar. */
export function readDate(text: unknown): number | null {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const instant = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text) ? instant : null
}
