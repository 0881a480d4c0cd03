import { type Interval, mergeIntervals, overlaps, sortIntervals } from './interval.ts'
import { DAY_MS, formatDate, instantOf, wallTimeOf, type ZoneTable } from './local-time.ts'

/** Wall-clock milliseconds since the midnight of a date, half-open; `endMs` goes up to 24 hours. */
export type TimeWindow = { readonly startMs: number; readonly endMs: number }

/** Weekly hours (0 = Sunday) and what replaces them on single dates (`YYYY-MM-DD`; no window: closed). */
export type OpenHours = {
  readonly weekly: readonly (TimeWindow & { readonly dayOfWeek: number })[]
  readonly overrides: ReadonlyMap<string, readonly TimeWindow[]>
}

// A clock change moves a wall time by at most a day, so a window lies within two days of its own date.
const REACH_DAYS = 2
const EPOCH_DAY_OF_WEEK = 4

/**
 * The windows that overlap `range`, as instants in ascending order of their starts. Windows of one date that
 * touch or overlap are one; those of different dates stay apart, since each starts a grid of its own.
 */
export function openWindows(hours: OpenHours, table: ZoneTable, range: Interval): Interval[] {
  const byDayOfWeek = [0, 1, 2, 3, 4, 5, 6].map((day) =>
    mergeWindows(hours.weekly.filter((window) => window.dayOfWeek === day)),
  )
  const firstDay = Math.floor(wallTimeOf(table, range.start) / DAY_MS) - REACH_DAYS
  const lastDay = Math.floor(wallTimeOf(table, range.end) / DAY_MS) + REACH_DAYS
  const windows: Interval[] = []
  for (let day = firstDay; day <= lastDay; day++) {
    const midnight = day * DAY_MS
    const override = hours.overrides.size > 0 ? hours.overrides.get(formatDate(midnight)) : undefined
    const onDate = override ? mergeWindows(override) : byDayOfWeek[dayOfWeek(day)]!
    for (const window of windowsOn(midnight, onDate, table)) if (overlaps(window, range)) windows.push(window)
  }
  return sortIntervals(windows)
}

function dayOfWeek(day: number): number {
  return (((day + EPOCH_DAY_OF_WEEK) % 7) + 7) % 7
}

function mergeWindows(windows: readonly TimeWindow[]): Interval[] {
  return mergeIntervals(windows.map(({ startMs, endMs }) => ({ start: startMs, end: endMs })))
}

function windowsOn(midnight: number, windows: readonly Interval[], table: ZoneTable): readonly Interval[] {
  const instants = windows.map((window) => ({
    start: instantOf(table, midnight + window.start),
    end: instantOf(table, midnight + window.end),
  }))
  // A gap can push one window into another, or its start past its end.
  return mergeIntervals(instants)
}
