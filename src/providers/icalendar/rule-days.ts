import { DAY_MS } from '../../scheduling/time-units.ts'
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
  return rule.weekdays.length === 0 || isRuleWeekday(rule, day, date)
}

/** The first day of the week in which a wall time lies, `weekStart` 0 being Sunday. */
export function startOfWeek(time: number, weekStart: number): number {
  const day = Math.floor(time / DAY_MS) * DAY_MS
  return day - ((new Date(day).getUTCDay() - weekStart + 7) % 7) * DAY_MS
}

function isRuleWeekday({ frequency, months, weekdays }: Rule, day: number, date: Date): boolean {
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
