import type { Interval } from '../../core/interval.ts'
import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import { datesToInterval } from '../../platform/icalendar/all-day.ts'
import { dateOf } from '../../platform/icalendar/unclear-events.ts'

/** A start or end as an API sends it: a date (`YYYY-MM-DD`), or an instant in epoch milliseconds. Null where there is none. */
export type Told = { readonly date: string } | { readonly instant: number } | null

/** `isGuess` where the end could not be understood. */
type ToldTime = { readonly time: Interval; readonly isGuess: boolean }

/** A bad end makes an hour of a time, and a day of a date. Null where the start cannot be understood. */
export function toldTime(start: Told, end: Told, timeZone: string | null): ToldTime | null {
  if (start === null) return null
  if ('instant' in start) {
    const from = start.instant
    if (!Number.isFinite(from)) return null
    const isGuess = !(end !== null && 'instant' in end && end.instant >= from)
    return { time: { start: from, end: isGuess ? from + HOUR_MS : end.instant }, isGuess }
  }
  const { date } = start
  const time =
    end !== null && 'date' in end && end.date > date ? datesToInterval(date, end.date, timeZone) : null
  if (time !== null) return { time, isGuess: false }
  const next = dateOf(Date.parse(`${date}T00:00:00Z`) + DAY_MS)
  const day = next === null ? null : datesToInterval(date, next, timeZone)
  return day && { time: day, isGuess: true }
}
