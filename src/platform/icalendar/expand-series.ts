import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { EventPart } from './event-part.ts'
import { expandRule, MAX_OCCURRENCES } from './expand-rule.ts'
import type { Moment } from './moment.ts'
import { type Occurrence, occurrenceAt } from './recurrence.ts'
import type { Rule } from './recurrence-rule.ts'
import { type StepBudget, TooManyOccurrences } from './step-budget.ts'

/**
 * The times of an event or series (RFC 5545, section 3.8.5) whose wall time is in `range`, and all of RDATE, without EXDATE and
 * EXRULE. Throws if a rule floods.
 */
export function expandSeries(series: EventPart, range: Interval, budget: StepBudget): Occurrence[] {
  const { begin, length, recurrence } = series
  const { rules, excludedRules, dates, excludedDates } = recurrence
  const start = begin.wallTime
  const isExcluded = marks(excludedDates, begin)
  const excluded = new Set(
    excludedRules.flatMap((rule) => expandRule(withStart(rule, start, budget), start, range, budget)),
  )
  const wallTimes = [start, ...rules.flatMap((rule) => expandRule(rule, start, range, budget))]
  const byRule = wallTimes
    .filter((wallTime) => wallTime >= range.start && wallTime < range.end && !excluded.has(wallTime))
    .map((wallTime) => occurrenceAt(begin, wallTime, length))
  // A date that is named twice counts once, with the length it names.
  const all = new Map([...byRule, ...dates].map((occurrence) => [occurrence.instant, occurrence]))
  if (all.size > MAX_OCCURRENCES) throw new TooManyOccurrences()
  return [...all.values()].filter((occurrence) => !isExcluded(occurrence))
}

/** Some programs count a start that does not fit the rule: what is left out is what all of them leave out. */
function withStart(rule: Rule, start: number, budget: StepBudget): Rule {
  if (rule.count === null) return rule
  const isFitting = expandRule(rule, start, { start, end: start + 1 }, budget).length > 0
  return isFitting ? rule : { ...rule, count: rule.count - 1 }
}

/** Whether an occurrence is among the named ones: by its instant, or by its date where only that is given. */
export function marks(named: readonly Moment[], { isDate }: Moment): (occurrence: Moment) => boolean {
  const dayOf = ({ wallTime }: Moment) => Math.floor(wallTime / DAY_MS)
  const dates = new Set(named.filter((moment) => isDate || moment.isDate).map(dayOf))
  const instants = new Set(named.filter((moment) => !isDate && !moment.isDate).map(({ instant }) => instant))
  return (occurrence) => instants.has(occurrence.instant) || dates.has(dayOf(occurrence))
}
