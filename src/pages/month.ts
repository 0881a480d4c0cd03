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

/** The month in weeks of seven; null for the days of its neighbours. */
export function weeksOf({ first, last }: Month, firstWeekday: number): (number | null)[][] {
  const lead = (new Date(first).getUTCDay() - firstWeekday + 7) % 7
  const days: (number | null)[] = Array(lead).fill(null)
  for (let day = first; day <= last; day += DAY_MS) days.push(day)
  while (days.length % 7 !== 0) days.push(null)
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
}

/** 0 is Sunday, as in `getUTCDay`. */
export function firstWeekdayOf(tag: string): number {
  const locale = new Intl.Locale(tag).maximize() as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % 7
}
