import type { Interval } from '../../core/interval.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Clock, Clocks } from './event-clock.ts'
import type { PropertyLine } from './property-line.ts'

/** A time in an event: a wall time of a clock, or a whole date. */
export type Moment = {
  readonly clock: Clock
  readonly wallTime: number
  readonly isDate: boolean
  readonly instant: number
}

/** Calendar days, and then milliseconds; with `shownMs`, at least until the clock shows so much more than at the start. */
export type Length = { readonly days: number; readonly ms: number; readonly shownMs?: number }

/** RFC 5545, section 3.3.5. Some programs write fractions of a second, or offsets although section 3.3.5 forbids them. */
const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(?:\.\d+)?(Z|([+-]\d\d)(\d\d))?)?$/i

/** A time or date as it is written: its form decides which, whatever its VALUE says. `isUtc` is false for floating ones. */
function readTime(text: string): { wallTime: number; isDate: boolean; isUtc: boolean } | null {
  const [whole, year, month, day, hour, minute, second, zone, hours = '0', minutes = '0'] =
    TIME.exec(text.trim()) ?? []
  if (whole === undefined) return null
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const date = new Date(midnight)
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return null
  if (hour === undefined) return { wallTime: midnight, isDate: true, isUtc: false }
  const time = Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * 1000
  // A minute may have 61 seconds, and a day end at 24:00.
  if (time > DAY_MS || Number(minute) > 59 || Number(second) > 60) return null
  const sign = hours.startsWith('-') ? -1 : 1
  const offset = Number(hours) * HOUR_MS + sign * Number(minutes) * MINUTE_MS
  return { wallTime: midnight + time - offset, isDate: false, isUtc: zone !== undefined }
}

/** What the clock shows, wherever it is; null where the text is not a time. */
export function wallTimeIn(text: string): number | null {
  return readTime(text)?.wallTime ?? null
}

/** In UTC, in a zone, or floating, which is in the calendar's zone. Null where the text is not a time. */
export function momentOf(
  text: string,
  { parameters }: Pick<PropertyLine, 'parameters'>,
  clocks: Clocks,
): Moment | null {
  const time = readTime(text)
  if (time === null) return null
  const { wallTime, isDate, isUtc } = time
  if (isDate) {
    const clock = clocks.ofCalendar
    return { clock, wallTime, isDate, instant: clock.startOfDate(wallTime) }
  }
  const tzid = parameters.tzid
  const clock = isUtc ? clocks.ofUtc : tzid ? clocks.named(String(tzid)) : clocks.ofCalendar
  return { clock, wallTime, isDate, instant: clock.instantOf(wallTime) }
}

/** The values of a list; an empty list has none. Null where the line makes no sense. */
export function valuesOf({ value }: PropertyLine): readonly string[] | null {
  return value === null ? null : value.split(',').filter((each) => each.trim() !== '')
}

/** The first time that one of the lines has; null where none has any. */
export function firstMoment(lines: readonly PropertyLine[], clocks: Clocks): Moment | null {
  for (const line of lines) {
    const moment = line.value === null ? null : momentOf(line.value, line, clocks)
    if (moment !== null) return moment
  }
  return null
}

/** The same clocks for what is written beside a time: what floats is in the zone of that, as Mozilla's calendar writes it. */
export function beside(begin: Moment, clocks: Clocks): Clocks {
  return { ...clocks, ofCalendar: begin.clock }
}

/** The time that begins at a wall time of the clock (or on its date), as long as `length`. */
export function timeAt({ clock, isDate }: Moment, wallTime: number, { days, ms, shownMs }: Length): Interval {
  const at = (wall: number) => (isDate ? clock.startOfDate(wall) : clock.instantOf(wall))
  const start = at(wallTime)
  const elapsed = (days === 0 ? start : at(wallTime + days * DAY_MS)) + ms
  const end = shownMs === undefined ? elapsed : Math.max(elapsed, clock.instantOf(wallTime + shownMs))
  return { start: start - clock.doubt, end }
}
