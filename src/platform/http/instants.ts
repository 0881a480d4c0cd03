import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'

/** The last instant whose year has four digits. */
export const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** No start lies later: the end of the longest meeting is still written with four digits of the year. */
export const LATEST_START = Date.UTC(9999, 11, 30)

let dayStart = Number.NaN
let dayPrefix = ''

/** `YYYY-MM-DDTHH:mm:ss.sssZ`, for the years 0 to 9999. A page of slots names thousands of instants of a few days, so the date is kept. */
export function formatInstant(instant: number): string {
  if (!(instant >= dayStart && instant < dayStart + DAY_MS)) {
    dayStart = Math.floor(instant / DAY_MS) * DAY_MS
    dayPrefix = new Date(dayStart).toISOString().slice(0, 11)
  }
  const ms = instant - dayStart
  if (ms % MINUTE_MS !== 0) return dayPrefix + timeOfDay(ms)
  const minute = ms / MINUTE_MS
  wholeMinutes[minute] ??= timeOfDay(ms)
  return dayPrefix + wholeMinutes[minute]
}

/** The times of day that are whole minutes; a day has no more than 1,440. */
const wholeMinutes: string[] = []

function timeOfDay(ms: number): string {
  const two = (value: number) => (value < 10 ? `0${value}` : `${value}`)
  const hours = two(Math.floor(ms / HOUR_MS))
  const minutes = two(Math.floor(ms / MINUTE_MS) % 60)
  const seconds = two(Math.floor(ms / 1000) % 60)
  return `${hours}:${minutes}:${seconds}.${String(ms % 1000).padStart(3, '0')}Z`
}

export function formatNullable(instant: number | null): string | null {
  return instant === null ? null : formatInstant(instant)
}
