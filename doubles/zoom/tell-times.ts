/**
 * The two forms of a `start_time`: `yyyy-MM-ddTHH:mm:ssZ` in UTC whatever `timezone` says, and `yyyy-MM-ddTHH:mm:ss` on the
 * clocks of `timezone`, or of the account where there is none. Others are not among the documented.
 * developers.zoom.us/docs/api/meetings (create a meeting)
 */
const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z?)$/

export function instantOf(startTime: unknown, timeZone: string): number | null {
  const [, local, utc] = FORM.exec(typeof startTime === 'string' ? startTime : '') ?? []
  if (local === undefined) return null
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return null
  if (utc === 'Z') return asUtc
  const guess = asUtc - offsetOf(asUtc, timeZone)
  return asUtc - offsetOf(guess, timeZone)
}

/** Answers tell times in UTC. */
export function tell(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}

export function isTimeZone(timeZone: unknown): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timeZone as string })
    return typeof timeZone === 'string'
  } catch {
    return false
  }
}

function offsetOf(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US-u-hc-h23', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  return (
    Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) -
    Math.floor(instant / 1000) * 1000
  )
}
