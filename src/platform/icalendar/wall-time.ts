import type ICAL from 'ical.js'

/** What the wall clock shows, as the milliseconds it would be if it showed UTC; throws for an invalid time. */
export function wallOf(time: ICAL.Time): number {
  const { year, month, day, hour, minute, second } = time
  const wallTime = time.isDate
    ? Date.UTC(year, month - 1, day)
    : Date.UTC(year, month - 1, day, hour, minute, second)
  if (!Number.isFinite(wallTime)) throw new RangeError('No time')
  return wallTime
}
