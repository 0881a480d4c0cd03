import ICAL from 'ical.js'
import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Clocks } from './event-clock.ts'
import { lengthOfDuration } from './event-length.ts'
import { type Length, type Moment, momentOf, timeAt, valuesOf } from './moment.ts'
import type { PropertyLine } from './property-line.ts'
import type { EventText } from './read-components.ts'
import { type Rule, readRule } from './recurrence-rule.ts'

/** One time of a series as its rules have it, before anybody changed it. */
export type Occurrence = Moment & { readonly time: Interval }

/** When an event happens again (RFC 5545, section 3.8.5). What of it cannot be understood is left out. */
export type Recurrence = {
  readonly rules: readonly Rule[]
  readonly excludedRules: readonly Rule[]
  readonly dates: readonly Occurrence[]
  readonly excludedDates: readonly Moment[]
  /** Whether a rule or date is missing, so that the event may happen at times that are not known. */
  readonly lacksTimes: boolean
  /** Whether an exception was left out, so that times may be known at which the event does not happen. */
  readonly lacksExceptions: boolean
}

/** `clocks` has the clock of `begin` for what floats: https://github.com/sabre-io/vobject/issues/722 */
export function readRecurrence(
  { lines, isWhole }: EventText,
  begin: Moment,
  length: Length,
  clocks: Clocks,
): Recurrence {
  // What happens may be earlier than it seems; what is left out is not more than is told.
  const rules = readRules(lines.get('RRULE'), begin, clocks, begin.clock.doubt)
  const excludedRules = readRules(lines.get('EXRULE'), begin, clocks, 0)
  const dates = readValues(lines.get('RDATE'), (text, line) => dateAt(text, line, begin, length, clocks))
  const excludedDates = readValues(lines.get('EXDATE'), (text, line) =>
    momentOf(text.split('/')[0]!, line, clocks),
  )
  return {
    rules: rules.read,
    excludedRules: excludedRules.read,
    dates: dates.read,
    excludedDates: excludedDates.read,
    lacksTimes: rules.lacks || dates.lacks || !isWhole,
    lacksExceptions: excludedRules.lacks || excludedDates.lacks,
  }
}

type Lines = readonly PropertyLine[] | undefined
type Read<T> = { readonly read: readonly T[]; readonly lacks: boolean }

function readValues<T>(lines: Lines = [], readOne: (text: string, line: PropertyLine) => T | null): Read<T> {
  const all = lines.flatMap((line) => valuesOf(line)?.map((text) => readOne(text, line)) ?? [null])
  const read = all.filter((each) => each !== null)
  return { read, lacks: read.length < all.length }
}

function readRules(lines: Lines = [], begin: Moment, clocks: Clocks, doubt: number): Read<Rule> {
  const written = lines.filter(({ value }) => value !== '')
  const read = written.map(({ value }) => ruleIn(value, begin, clocks, doubt)).filter((rule) => rule !== null)
  return { read, lacks: read.length < written.length }
}

/** Null where the rule makes no sense. Some programs write blanks into it. */
function ruleIn(value: string | null, begin: Moment, clocks: Clocks, doubt: number): Rule | null {
  if (value === null) return null
  const parts = value.toUpperCase().replace(/\s/g, '').split(';')
  const [until = null] = parts.filter((part) => part.startsWith('UNTIL='))
  try {
    const end = until === null ? null : untilOf(until.slice('UNTIL='.length), begin, clocks, doubt)
    const rule = readRule(ICAL.Recur.fromString(parts.filter((part) => part !== until).join(';')), end)
    // Dates have no hours to multiply.
    return begin.isDate ? { ...rule, hours: [], minutes: [], seconds: [] } : rule
  } catch {
    return null
  }
}

/** The last wall time by the clock of the series. An UNTIL that is a date, or was made from one, is that whole date. */
function untilOf(text: string, begin: Moment, clocks: Clocks, doubt: number): number {
  const moment = momentOf(text, { parameters: {} }, clocks)
  if (moment === null) throw new RangeError('No time in UNTIL')
  const isMidnight = moment.wallTime % DAY_MS === 0
  if (moment.isDate || (begin.isDate && isMidnight)) return moment.wallTime + DAY_MS - 1
  return moment.clock === clocks.ofUtc ? begin.clock.wallTimeOf(moment.instant + doubt) : moment.wallTime
}

/** Null where an RDATE names no time. */
function dateAt(
  text: string,
  line: PropertyLine,
  begin: Moment,
  length: Length,
  clocks: Clocks,
): Occurrence | null {
  const [start = '', end] = text.split('/')
  const moment = momentOf(start, line, clocks)
  if (moment === null) return null
  if (end !== undefined) {
    const time = periodFrom(moment, end, line, clocks)
    return time && { ...moment, time }
  }
  // A date in a series of times means its usual time, a time in a series of dates its date.
  if (moment.isDate !== begin.isDate) {
    const midnight = Math.floor(moment.wallTime / DAY_MS) * DAY_MS
    return occurrenceAt(begin, midnight + (begin.wallTime % DAY_MS), length)
  }
  return occurrenceAt(moment, moment.wallTime, length)
}

/** Null where a period (RFC 5545, section 3.3.9) has no end that can be understood, or one before its beginning. */
function periodFrom(begin: Moment, text: string, line: PropertyLine, clocks: Clocks): Interval | null {
  const length = /^\s*[+-]?P/i.test(text) ? lengthOfDuration(text) : null
  if (length !== null) return timeAt(begin, begin.wallTime, length)
  const start = begin.instant - begin.clock.doubt
  const end = momentOf(text, line, clocks)
  return end !== null && end.instant >= start ? { start, end: end.instant } : null
}

export function occurrenceAt(begin: Moment, wallTime: number, length: Length): Occurrence {
  const { clock, isDate } = begin
  const time = timeAt(begin, wallTime, length)
  return { clock, isDate, wallTime, instant: time.start + clock.doubt, time }
}
