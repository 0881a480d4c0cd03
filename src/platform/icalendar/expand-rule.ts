import type { Interval } from '../../core/interval.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time-units.ts'
import { FREQUENCIES, type Rule } from './recurrence-rule.ts'
import { isRuleDay, ruleDays, startOfWeek } from './rule-days.ts'
import { type StepBudget, TooManyOccurrences } from './step-budget.ts'

export const MAX_OCCURRENCES = 5_000
const MAX_STEPS = 200_000
const STEPS_PER_PERIOD = 4

const LONGEST_PERIOD_MS = {
  YEARLY: 366 * DAY_MS,
  MONTHLY: 31 * DAY_MS,
  WEEKLY: 7 * DAY_MS,
  DAILY: DAY_MS,
  HOURLY: HOUR_MS,
  MINUTELY: MINUTE_MS,
  SECONDLY: SECOND_MS,
}

/**
 * The wall times within `range` at which a rule that begins at `start` happens, ascending; `start` counts only if it fits the
 * rule. Ends for every rule, also one that never happens, unlike the iterator of ical.js. Throws TooManyOccurrences beyond 5,000
 * occurrences or 200,000 steps, and what the budget throws.
 */
export function expandRule(given: Rule, start: number, range: Interval, budget: StepBudget): number[] {
  const rule = completeRule(given, start)
  const found: number[] = []
  const last = Math.min(range.end - 1, rule.until ?? Number.POSITIVE_INFINITY)
  let left = rule.count ?? Number.POSITIVE_INFINITY
  let previous = Number.NEGATIVE_INFINITY
  const weight = weightOf(rule)
  let steps = 0
  for (let index = rule.count === null ? firstPeriod(rule, start, range.start) : 0; ; index++) {
    const period = periodAt(rule, start, index)
    // Not `>`: beyond the last date there is, it is NaN.
    if (!(period.start <= last)) return found
    const candidates = candidatesIn(rule, period)
    const taken = Math.max(1, (period.end - period.start) / DAY_MS, candidates.length)
    steps += taken
    budget.spend(STEPS_PER_PERIOD + taken * weight)
    if (steps > MAX_STEPS) throw new TooManyOccurrences()
    for (const time of positioned(rule, candidates)) {
      // What is moved out of one period may be in the next one, too.
      if (time < start || time <= previous) continue
      if (time > last || left-- <= 0) return found
      previous = time
      if (time >= range.start && found.push(time) > MAX_OCCURRENCES) throw new TooManyOccurrences()
    }
  }
}

/** How much more one day costs where the rule has long lists. */
function weightOf({ months, weekNumbers, yearDays, monthDays, weekdays, positions }: Rule): number {
  const lists = [months, weekNumbers, yearDays, monthDays, weekdays, positions]
  return 1 + Math.floor(lists.reduce((sum, list) => sum + list.length, 0) / 16)
}

/** Fills in from the start what the rule leaves open. */
function completeRule(rule: Rule, start: number): Rule {
  const date = new Date(start)
  const { frequency, months, weekNumbers, yearDays, monthDays, weekdays } = rule
  const fineness = FREQUENCIES.indexOf(frequency)
  const hasDates = yearDays.length + monthDays.length > 0
  const hasDays = hasDates || weekNumbers.length + weekdays.length > 0
  const isYearly = frequency === 'YEARLY'
  const needsWeekday = isYearly ? weekNumbers.length > 0 && !hasDates : frequency === 'WEEKLY' && !hasDays
  const or = (values: readonly number[], isNeeded: boolean, value: number) =>
    isNeeded && values.length === 0 ? [value] : values
  return {
    ...rule,
    months: or(months, isYearly && !hasDays, date.getUTCMonth() + 1),
    monthDays: or(monthDays, (isYearly || frequency === 'MONTHLY') && !hasDays, date.getUTCDate()),
    weekdays: needsWeekday && weekdays.length === 0 ? [{ weekday: date.getUTCDay(), nth: 0 }] : weekdays,
    hours: or(rule.hours, fineness < FREQUENCIES.indexOf('HOURLY'), date.getUTCHours()),
    minutes: or(rule.minutes, fineness < FREQUENCIES.indexOf('MINUTELY'), date.getUTCMinutes()),
    seconds: or(rule.seconds, fineness < FREQUENCIES.indexOf('SECONDLY'), date.getUTCSeconds()),
  }
}

/** Where the search for `from` may begin, so that a series of many years is not followed from its start. */
function firstPeriod({ frequency, interval }: Rule, start: number, from: number): number {
  return Math.max(0, Math.floor((from - start) / (LONGEST_PERIOD_MS[frequency] * interval)) - 1)
}

/** The wall time that one repetition covers, `index` intervals after the one with the start. */
function periodAt({ frequency, interval, weekStart }: Rule, start: number, index: number): Interval {
  const date = new Date(start)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const moved = index * interval
  switch (frequency) {
    case 'YEARLY':
      return { start: Date.UTC(year + moved, 0), end: Date.UTC(year + moved + 1, 0) }
    case 'MONTHLY':
      return { start: Date.UTC(year, month + moved), end: Date.UTC(year, month + moved + 1) }
    default: {
      const length = LONGEST_PERIOD_MS[frequency]
      const first =
        frequency === 'WEEKLY' ? startOfWeek(start, weekStart) : Math.floor(start / length) * length
      return { start: first + moved * length, end: first + (moved + 1) * length }
    }
  }
}

function candidatesIn(rule: Rule, { start, end }: Interval): number[] {
  if (end - start >= DAY_MS) {
    const wanted = ruleDays(rule, { start, end })
    const timesADay = rule.hours.length * rule.minutes.length * rule.seconds.length
    if (wanted.length * timesADay > MAX_STEPS) throw new TooManyOccurrences()
    return wanted.flatMap((day) => timesOfDay(rule, day))
  }
  const day = Math.floor(start / DAY_MS) * DAY_MS
  if (!isRuleDay(rule, day)) return []
  const date = new Date(start)
  const only = (values: readonly number[], value: number, isFixed: boolean) =>
    isFixed ? (values.length === 0 || values.includes(value) ? [value] : []) : values
  const times = {
    hours: only(rule.hours, date.getUTCHours(), true),
    minutes: only(rule.minutes, date.getUTCMinutes(), rule.frequency !== 'HOURLY'),
    seconds: only(rule.seconds, date.getUTCSeconds(), rule.frequency === 'SECONDLY'),
  }
  return timesOfDay(times, day)
}

function timesOfDay({ hours, minutes, seconds }: Pick<Rule, 'hours' | 'minutes' | 'seconds'>, day: number) {
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => day + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS),
    ),
  )
}

/** BYSETPOS: the named places of one repetition, from the front or from the back. */
function positioned({ positions }: Rule, candidates: readonly number[]): readonly number[] {
  if (positions.length === 0) return candidates
  return candidates.filter(
    (_, index) => positions.includes(index + 1) || positions.includes(index - candidates.length),
  )
}
