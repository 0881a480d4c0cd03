import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Rule } from './recurrence-rule.ts'

/**
 * Whether a rule happens on the date whose midnight is `day` (a wall time), as far as its BYMONTH, BYWEEKNO,
 * BYYEARDAY, BYMONTHDAY and BYDAY say (RFC 5545, section 3.3.10).
 */
export function isRuleDay(rule: Rule, day: number): boolean {
  const date = new Date(day)
  const [year, month, monthDay] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (rule.months.length > 0 && !rule.months.includes(month + 1)) return false
  if (rule.monthDays.length > 0) {
    const length = dayCount(Date.UTC(year, month), Date.UTC(year, month + 1))
    if (!hasPlace(rule.monthDays, monthDay, length)) return false
  }
  if (rule.yearDays.length > 0) {
    const length = dayCount(Date.UTC(year, 0), Date.UTC(year + 1, 0))
    if (!hasPlace(rule.yearDays, dayCount(Date.UTC(year, 0), day) + 1, length)) return false
  }
  if (rule.weekNumbers.length > 0) {
    const { week, weeks } = weekOf(day, rule.weekStart)
    if (!hasPlace(rule.weekNumbers, week, weeks)) return false
  }
  return isRuleWeekday(rule, day, date)
}

/** The days of a month or year (`period`) on which a rule happens, ascending. Those that SKIP moves may lie just beside it. */
export function ruleDays(rule: Rule, { start, end }: Interval): number[] {
  const days = Array.from({ length: dayCount(start, end) }, (_, day) => start + day * DAY_MS)
  const regular = days.filter((day) => isRuleDay(rule, day))
  if (rule.skip === 'OMIT') return regular
  const moved = movedDays(rule, { start, end }).filter((day) => isRuleWeekday(rule, day, new Date(day)))
  return [...new Set([...regular, ...moved])].sort((a, b) => a - b)
}

/** RFC 7529, section 4.1: invalid dates are moved after BYMONTH, BYYEARDAY and BYMONTHDAY, and before BYDAY. */
function movedDays(
  { frequency, skip, months, yearDays, monthDays }: Rule,
  { start, end }: Interval,
): number[] {
  const valid = (first: number, next: number, places: readonly number[]) =>
    places
      .filter((place) => Math.abs(place) > dayCount(first, next))
      .map((place) => (place > 0 ? next : first) - (skip === 'BACKWARD' ? DAY_MS : 0))
  if (frequency === 'YEARLY' && yearDays.length > 0) return valid(start, end, yearDays)
  if (frequency !== 'YEARLY' && frequency !== 'MONTHLY') return []
  const year = new Date(start).getUTCFullYear()
  const all = frequency === 'MONTHLY' ? [new Date(start).getUTCMonth()] : [...Array(12).keys()]
  return all
    .filter((month) => months.length === 0 || months.includes(month + 1))
    .flatMap((month) => valid(Date.UTC(year, month), Date.UTC(year, month + 1), monthDays))
}

/** The first day of the week in which a wall time lies, `weekStart` 0 being Sunday. */
export function startOfWeek(time: number, weekStart: number): number {
  const day = Math.floor(time / DAY_MS) * DAY_MS
  return day - ((new Date(day).getUTCDay() - weekStart + 7) % 7) * DAY_MS
}

function isRuleWeekday({ frequency, months, weekdays }: Rule, day: number, date: Date): boolean {
  if (weekdays.length === 0) return true
  const same = weekdays.filter(({ weekday }) => weekday === date.getUTCDay())
  if (same.length === 0) return false
  const isNumbered = frequency === 'MONTHLY' || frequency === 'YEARLY'
  if (!isNumbered || same.some(({ nth }) => nth === 0)) return true
  const year = date.getUTCFullYear()
  const isWithinMonth = frequency === 'MONTHLY' || months.length > 0
  const first = Date.UTC(year, isWithinMonth ? date.getUTCMonth() : 0)
  const end = isWithinMonth ? Date.UTC(year, date.getUTCMonth() + 1) : Date.UTC(year + 1, 0)
  const before = Math.floor(dayCount(first, day) / 7)
  const after = Math.floor((dayCount(day, end) - 1) / 7)
  return same.some(({ nth }) => nth === before + 1 || nth === -after - 1)
}

/** Week 1 is the first with at least four days in the year. */
function weekOf(day: number, weekStart: number): { week: number; weeks: number } {
  const start = startOfWeek(day, weekStart)
  // Its fourth day lies in the year that the week belongs to.
  const year = new Date(start + 3 * DAY_MS).getUTCFullYear()
  const first = startOfWeek(Date.UTC(year, 0, 4), weekStart)
  const next = startOfWeek(Date.UTC(year + 1, 0, 4), weekStart)
  return { week: dayCount(first, start) / 7 + 1, weeks: dayCount(first, next) / 7 }
}

/** Whether `place` (from 1) of `length` is named, from the front or from the back. */
function hasPlace(named: readonly number[], place: number, length: number): boolean {
  return named.includes(place) || named.includes(place - length - 1)
}

function dayCount(from: number, to: number): number {
  return Math.round((to - from) / DAY_MS)
}
