import { type Interval, mergeIntervals, sortIntervals } from './interval.ts'
import { formatDate, instantOf, offsetOfDate, wallTimeOf, type ZoneTable } from './local-time.ts'
import { DAY_MS } from './time-units.ts'

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
 * The windows that overlap `range`, as instants in ascending order of their starts: one list of numbers, each window's
 * start and then its end, for a year has hundreds. Windows of one date that touch or overlap are one; those of different
 * dates stay apart, since each starts a grid of its own.
 */
export function windowEdges(hours: OpenHours, table: ZoneTable, range: Interval): number[] {
  const week = weekOf(hours.weekly)
  const firstDay = Math.floor(wallTimeOf(table, range.start) / DAY_MS) - REACH_DAYS
  const lastDay = Math.floor(wallTimeOf(table, range.end) / DAY_MS) + REACH_DAYS
  const edges: number[] = []
  let isAscending = true
  for (let day = firstDay; day <= lastDay; day++) {
    const midnight = day * DAY_MS
    const override = hours.overrides.size > 0 ? hours.overrides.get(formatDate(midnight)) : undefined
    const windows = override ? mergeWindows(override) : week[dayOfWeek(day)]!
    if (windows.length === 0) continue
    const offset = offsetOfDate(table, midnight)
    const onDate = offset === null ? windowsByClock(midnight, windows, table) : windows
    const shift = offset === null ? 0 : midnight - offset
    for (let at = 0; at < onDate.length; at++) {
      const start = onDate[at]!.start + shift
      const end = onDate[at]!.end + shift
      if (end <= range.start || start >= range.end) continue
      if (edges.length > 0 && start < edges[edges.length - 2]!) isAscending = false
      edges.push(start, end)
    }
  }
  return isAscending ? edges : sortIntervals(pairs(edges)).flatMap(({ start, end }) => [start, end])
}

function pairs(edges: readonly number[]): Interval[] {
  const windows: Interval[] = []
  for (let at = 0; at < edges.length; at += 2) windows.push({ start: edges[at]!, end: edges[at + 1]! })
  return windows
}

type Week = readonly (readonly Interval[])[]

/** The merged windows of each day of the week, kept as long as the hours they are made of. */
const weeks = new WeakMap<OpenHours['weekly'], Week>()

function weekOf(weekly: OpenHours['weekly']): Week {
  let week = weeks.get(weekly)
  if (!week) {
    week = [0, 1, 2, 3, 4, 5, 6].map((day) =>
      mergeWindows(weekly.filter((window) => window.dayOfWeek === day)),
    )
    weeks.set(weekly, week)
  }
  return week
}

function dayOfWeek(day: number): number {
  return (((day + EPOCH_DAY_OF_WEEK) % 7) + 7) % 7
}

function mergeWindows(windows: readonly TimeWindow[]): Interval[] {
  return mergeIntervals(windows.map(({ startMs, endMs }) => ({ start: startMs, end: endMs })))
}

/** The windows of a date on which the clock changes, each edge looked up by itself. */
function windowsByClock(midnight: number, windows: readonly Interval[], table: ZoneTable): Interval[] {
  const instants = windows.map((window) => ({
    start: instantOf(table, midnight + window.start),
    end: instantOf(table, midnight + window.end),
  }))
  // A gap can push one window into another, or its start past its end.
  return mergeIntervals(instants)
}
