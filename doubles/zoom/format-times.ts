import { instantAt } from '../wall-clock.ts'

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
  return instantAt(timeZone, asUtc)
}

/** Answers have times in UTC. */
export function tell(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}
