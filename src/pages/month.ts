import { formatDate, parseDate } from '../core/local-time.ts'
import { DAY_MS } from '../core/time-units.ts'

/** A month of the calendar; dates are given as the midnight they would be in UTC. */
export type Month = { readonly name: string; readonly first: number; readonly last: number }

/** `2026-03`; null when it is not a month. */
export function parseMonth(text: string | null): Month | null {
  if (text === null || !/^\d{4}-\d{2}$/.test(text)) return null
  const first = parseDate(`${text}-01`)
  return first === null ? null : monthOfDate(first)
}

const LATE_DAYS = 10
const WEEKS_ON = 4

export function monthOfDate(date: number): Month {
  const day = new Date(date)
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()]
  const first = Date.UTC(year, month, 1)
  return { name: formatDate(first).slice(0, 7), first, last: Date.UTC(year, month + 1, 0) }
}

export function monthBefore({ first }: Month): Month {
  return monthOfDate(first - DAY_MS)
}

export function monthAfter({ last }: Month): Month {
  return monthOfDate(last + DAY_MS)
}

/** Dates from the first to the last, both included. */
export type Span = { readonly first: number; readonly last: number }

/** The dates in weeks of seven; null for the days around them. */
export function weeksOf({ first, last }: Span, firstWeekday: number): (number | null)[][] {
  const lead = (new Date(first).getUTCDay() - firstWeekday + 7) % 7
  const days: (number | null)[] = Array(lead).fill(null)
  for (let day = first; day <= last; day += DAY_MS) days.push(day)
  while (days.length % 7 !== 0) days.push(null)
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
}

/** The month; near its end its last days and those that follow, so that what is shown is not mostly past. */
export function shownOf(month: Month, today: number, firstWeekday: number): Span {
  const isPresent = month.first <= today && today <= month.last
  if (!isPresent || month.last - today >= LATE_DAYS * DAY_MS) return month
  const first = today - ((new Date(today).getUTCDay() - firstWeekday + 7) % 7) * DAY_MS
  return { first, last: first + (WEEKS_ON * 7 - 1) * DAY_MS }
}

/** 0 is Sunday, as in `getUTCDay`. */
export function firstWeekdayOf(tag: string): number {
  const locale = new Intl.Locale(tag).maximize() as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % 7
}
