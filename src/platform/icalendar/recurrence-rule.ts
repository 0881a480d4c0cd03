import type ICAL from 'ical.js'

/** Coarsest first: parts finer than a rule's own frequency multiply its occurrences, the others limit them. */
export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const
type Frequency = (typeof FREQUENCIES)[number]

/** Where a date goes that a month or year does not have (RFC 7529, section 4.1): nowhere, or to the valid one before or after it. */
const SKIPS = ['OMIT', 'BACKWARD', 'FORWARD'] as const

/** RFC 5545, section 3.3.10, as numbers; an empty list means that the part is absent. */
export type Rule = {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | null
  /** The last wall time there may be. */
  readonly until: number | null
  /** 0 is Sunday. */
  readonly weekStart: number
  readonly months: readonly number[]
  readonly weekNumbers: readonly number[]
  readonly yearDays: readonly number[]
  readonly monthDays: readonly number[]
  /** `nth` 0 is every one. */
  readonly weekdays: readonly { readonly weekday: number; readonly nth: number }[]
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  readonly seconds: readonly number[]
  readonly positions: readonly number[]
  readonly skip: (typeof SKIPS)[number]
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The parser keeps parts that it does not know as they are. */
type RecurOfAnyCalendar = { readonly rscale?: string; readonly skip?: string }

/** A rule as the parser understood it; throws where it makes no sense. `until` is the wall time of its UNTIL. */
export function readRule(recur: ICAL.Recur, until: number | null): Rule {
  const parts = recur.parts as Readonly<Record<string, readonly unknown[] | undefined>>
  const numbers = (name: string) => [...new Set((parts[name] ?? []).map((value) => whole(Number(value))))]
  const frequency = FREQUENCIES.find((known) => known === recur.freq)
  if (frequency === undefined) throw new RangeError(`No frequency: ${recur.freq}`)
  const { rscale = 'GREGORIAN', skip: wanted = 'OMIT' } = recur as RecurOfAnyCalendar
  if (rscale.toUpperCase() !== 'GREGORIAN') throw new RangeError(`Another calendar: ${rscale}`)
  const skip = SKIPS.find((known) => known === wanted.toUpperCase())
  if (skip === undefined) throw new RangeError(`No way to skip: ${wanted}`)
  // BYEASTER, for example, decides the days of some programs' rules.
  const unknown = Object.keys(recur).find((name) => name.startsWith('by'))
  if (unknown !== undefined) throw new RangeError(`No part: ${unknown}`)
  return {
    frequency,
    interval: Math.max(1, whole(recur.interval ?? 1)),
    count: recur.count ? whole(recur.count) : null,
    until,
    weekStart: whole(recur.wkst ?? 2) - 1,
    months: numbers('BYMONTH'),
    weekNumbers: numbers('BYWEEKNO'),
    yearDays: numbers('BYYEARDAY'),
    monthDays: numbers('BYMONTHDAY'),
    weekdays: [...new Set((parts.BYDAY ?? []).map(String))].map(readWeekday),
    hours: ascending(numbers('BYHOUR')),
    minutes: ascending(numbers('BYMINUTE')),
    seconds: ascending(numbers('BYSECOND')),
    positions: numbers('BYSETPOS'),
    skip,
  }
}

function readWeekday(text: string): Rule['weekdays'][number] {
  const [, nth = '', name = ''] = /^([+-]?\d*)([A-Z]{2})$/.exec(text.toUpperCase()) ?? []
  const weekday = WEEKDAYS.indexOf(name)
  if (weekday < 0) throw new RangeError(`No weekday: ${text}`)
  return { weekday, nth: nth === '' ? 0 : whole(Number(nth)) }
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('No whole number')
  return value
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}
