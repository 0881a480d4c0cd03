const formats = new Map<string, Intl.DateTimeFormat>()

/** Throws a RangeError where there is no such zone. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
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
  formats.set(zone, made)
  return made
}

export function isZone(zone: unknown): zone is string {
  if (typeof zone !== 'string') return false
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** What the clock on the wall says, as if it were UTC. */
export function wallAt(zone: string, instant: number): number {
  const part: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(instant)) part[type] = Number(value)
  const { year, month, day, hour, minute, second } = part
  return (
    Date.UTC(year!, month! - 1, day, hour, minute, second) + (instant - Math.floor(instant / 1000) * 1000)
  )
}

/** The instant when the clock on the wall says so; the first of two, and behind a gap where there is none. */
export function instantAt(zone: string, wall: number): number {
  const [early, late] = [wall - 86_400_000, wall + 86_400_000].map(
    (near) => wall - (wallAt(zone, near) - near),
  )
  return [early!, late!].find((instant) => wallAt(zone, instant) === wall) ?? early!
}
