import ICAL from 'ical.js'
import type { Interval } from '../../scheduling/interval.ts'
import { DAY_MS } from '../../scheduling/time-units.ts'
import type { Clocks } from './event-clock.ts'
import {
  type EventPart,
  type Length,
  lengthOfDuration,
  type Moment,
  momentOf,
  momentsOf,
  timeAt,
} from './event-part.ts'
import { expandRule, MAX_OCCURRENCES } from './expand-rule.ts'
import { readRule } from './recurrence-rule.ts'
import { TooManyOccurrences } from './step-budget.ts'

/** One time of a series as its rules have it, before anybody changed it. */
export type Occurrence = Moment & { readonly time: Interval }

/**
 * Where an event without RRULE or RDATE happens, or each time that a series does (RFC 5545, section 3.8.5), among
 * those whose wall time lies in `range`, and all that RDATE names. EXDATE and EXRULE are left out, changed occurrences are not. Throws where
 * a rule makes no sense or floods.
 */
export function expandSeries(series: EventPart, range: Interval, clocks: Clocks): Occurrence[] {
  const { component, begin, length } = series
  const isExcluded = marks(momentsOf(component, 'exdate', clocks), begin)
  const excluded = new Set(rulesOf(component, 'exrule', begin, range, clocks))
  const wallTimes = [begin.wallTime, ...rulesOf(component, 'rrule', begin, range, clocks)]
  const byRule = wallTimes
    .filter((wallTime) => wallTime >= range.start && wallTime < range.end && !excluded.has(wallTime))
    .map((wallTime) => occurrenceAt(begin, wallTime, length))
  // A date that is named twice counts once, with the length it names.
  const all = new Map(
    [...byRule, ...extraDates(series, clocks)].map((occurrence) => [occurrence.instant, occurrence]),
  )
  if (all.size > MAX_OCCURRENCES) throw new TooManyOccurrences()
  return [...all.values()].filter((occurrence) => !isExcluded(occurrence))
}

/** Whether an occurrence is among the named ones: by its instant, or by its date where only that is given. */
export function marks(named: readonly Moment[], { isDate }: Moment): (occurrence: Moment) => boolean {
  const dayOf = ({ wallTime }: Moment) => Math.floor(wallTime / DAY_MS)
  const dates = new Set(named.filter((moment) => isDate || moment.isDate).map(dayOf))
  const instants = new Set(named.filter((moment) => !isDate && !moment.isDate).map(({ instant }) => instant))
  return (occurrence) => instants.has(occurrence.instant) || dates.has(dayOf(occurrence))
}

function occurrenceAt(begin: Moment, wallTime: number, length: Length): Occurrence {
  const { clock, isDate } = begin
  const time = timeAt(begin, wallTime, length)
  return { clock, isDate, wallTime, instant: time.start + clock.doubt, time }
}

function rulesOf(
  component: ICAL.Component,
  name: 'rrule' | 'exrule',
  begin: Moment,
  range: Interval,
  clocks: Clocks,
): number[] {
  return component.getAllProperties(name).flatMap((property) => {
    const recur = property.getFirstValue()
    if (!(recur instanceof ICAL.Recur)) throw new RangeError('No rule')
    // What happens may be earlier than it seems; what is left out is not more than is told.
    const doubt = name === 'rrule' ? begin.clock.doubt : 0
    const rule = readRule(recur, recur.until ? untilOf(recur.until, begin, property, clocks, doubt) : null)
    // Dates have no hours to multiply.
    const ofDates = { ...rule, hours: [], minutes: [], seconds: [] }
    return expandRule(begin.isDate ? ofDates : rule, begin.wallTime, range, clocks.budget)
  })
}

/** The last wall time by the clock of the series. An UNTIL that is a date, or was made from one, is that whole date. */
function untilOf(
  until: ICAL.Time,
  begin: Moment,
  property: ICAL.Property,
  clocks: Clocks,
  doubt: number,
): number {
  const moment = momentOf(until, property, clocks)
  const isMidnight = moment.wallTime % DAY_MS === 0
  if (moment.isDate || (begin.isDate && isMidnight)) return moment.wallTime + DAY_MS - 1
  const isUtc = until.zone === ICAL.Timezone.utcTimezone
  return isUtc ? begin.clock.wallTimeOf(moment.instant + doubt) : moment.wallTime
}

function extraDates({ component, begin, length }: EventPart, clocks: Clocks): Occurrence[] {
  return component.getAllProperties('rdate').flatMap((property) =>
    property.getValues().map((value: unknown) => {
      const isPeriod = value instanceof ICAL.Period
      const start = isPeriod ? value.start : value
      if (!(start instanceof ICAL.Time)) throw new RangeError('No time in RDATE')
      const moment = momentOf(start, property, clocks)
      if (isPeriod) return { ...moment, time: periodTime(value, moment, property, clocks) }
      // A date in a series of times means its usual time, a time in a series of dates its date.
      if (moment.isDate !== begin.isDate) {
        const midnight = Math.floor(moment.wallTime / DAY_MS) * DAY_MS
        return occurrenceAt(begin, midnight + (begin.wallTime % DAY_MS), length)
      }
      return occurrenceAt(moment, moment.wallTime, length)
    }),
  )
}

function periodTime(period: ICAL.Period, begin: Moment, property: ICAL.Property, clocks: Clocks): Interval {
  if (period.duration) return timeAt(begin, begin.wallTime, lengthOfDuration(period.duration))
  const start = begin.instant - begin.clock.doubt
  const end = momentOf(period.end, property, clocks).instant
  if (end < start) throw new RangeError('A period that ends before it begins')
  return { start, end }
}
