import type { Interval } from './interval.ts'
import { dayAt, startOfDate, type ZoneTable } from './local-time.ts'
import { DAY_MS } from './time-units.ts'

export type CapPeriod = 'daily' | 'weekly' | 'monthly' | 'total'

const ALL_TIME: Interval = { start: Number.MIN_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER }
const EPOCH_DAYS_SINCE_MONDAY = 3

/**
 * The day, week (from Monday) or month of the table's zone that holds the instant. If a clock change returns to the date
 * before, the new date has already begun.
 */
export function capPeriodAt(period: CapPeriod, table: ZoneTable, instant: number): Interval {
  if (period === 'total') return ALL_TIME
  const [first, next] = periodDays(period, dayAt(table, instant))
  return { start: startOfDate(table, first * DAY_MS), end: startOfDate(table, next * DAY_MS) }
}

function periodDays(period: Exclude<CapPeriod, 'total'>, day: number): readonly [number, number] {
  switch (period) {
    case 'daily':
      return [day, day + 1]
    case 'weekly': {
      const monday = day - ((((day + EPOCH_DAYS_SINCE_MONDAY) % 7) + 7) % 7)
      return [monday, monday + 7]
    }
    case 'monthly': {
      const date = new Date(day * DAY_MS)
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
      return [Date.UTC(year, month) / DAY_MS, Date.UTC(year, month + 1) / DAY_MS]
    }
  }
}

type CapUse = {
  readonly cap: number
  readonly period: CapPeriod
  readonly table: ZoneTable
  readonly range: Interval
  /** Active bookings by start instant: every one of each period that touches the range, in any order. */
  readonly bookings: readonly { readonly start: number; readonly count: number }[]
  /** Active bookings of all time; decides alone when the period is `total`. */
  readonly totalCount: number
}

/** The periods touching the range whose bookings reach the cap, ascending. */
export function fullCapPeriods(input: CapUse): Interval[] {
  const { cap, period, table, range } = input
  if (period === 'total') return input.totalCount >= cap ? [ALL_TIME] : []
  const bookings = input.bookings.toSorted((a, b) => a.start - b.start)
  const full: Interval[] = []
  let index = 0
  let current = capPeriodAt(period, table, range.start)
  while (current.start < range.end) {
    let count = 0
    for (; index < bookings.length && bookings[index]!.start < current.end; index++) {
      if (bookings[index]!.start >= current.start) count += bookings[index]!.count
    }
    if (count >= cap) full.push(current)
    current = capPeriodAt(period, table, current.end)
  }
  return full
}
