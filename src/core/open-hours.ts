import { type Interval, mergeIntervals, sortIntervals } from './interval.ts'
import {
  dayAt,
  instantOf,
  offsetEndsAt,
  offsetOfDate,
  wallTimeOf,
  type ZoneTable,
  zoneTable,
} from './local-time.ts'
import { DAY_MS } from './time-units.ts'

/** Wall-clock milliseconds since the midnight of a date, half-open; `endMs` goes up to 24 hours. */
export type TimeWindow = { readonly startMs: number; readonly endMs: number }

/**
 * Weekly hours (0 = Sunday) in a zone, and what replaces them on single dates, by the wall time of their midnights (no
 * window: closed).
 */
export type OpenHours = {
  readonly timeZone: string
  readonly weekly: readonly (TimeWindow & { readonly dayOfWeek: number })[]
  readonly overrides: ReadonlyMap<number, readonly TimeWindow[]>
}

/** Hours that are never open. */
export const NEVER_OPEN: OpenHours = { timeZone: 'UTC', weekly: [], overrides: new Map() }

// A clock change moves a wall time by at most a day, so a window lies within two days of its own date.
const REACH_DAYS = 2
const EPOCH_DAY_OF_WEEK = 4
const BLOCK_MS = 16 * DAY_MS

/** Whether the first part of the span that is not open lies on a date without any hours. */
export function isClosedByDate(hours: OpenHours, span: Interval): boolean {
  let missing = span.start
  const edges = windowEdges(hours, span)
  for (let at = 0; at < edges.length; at += 2) {
    if (edges[at]! <= missing) missing = Math.max(missing, edges[at + 1]!)
  }
  if (missing >= span.end) return false
  return (
    hours.overrides.get(dayAt(zoneTable(hours.timeZone, missing, missing), missing) * DAY_MS)?.length === 0
  )
}

type Windows = Interval & { readonly edges: readonly number[] }

/** The windows around the last range that was asked about, by hours: a schedule is asked about neighbouring ranges. */
const known = new WeakMap<OpenHours, Windows>()
/** Those of that range alone: one question asks for them several times. */
const last = new WeakMap<OpenHours, Windows>()

/**
 * The windows that overlap `range`, as instants in ascending order of their starts: one list of numbers, each window's
 * start and then its end, because a year has hundreds. Windows of one date that touch or overlap are merged; those of
 * different dates are not, because each starts a grid of its own.
 */
export function windowEdges(hours: OpenHours, range: Interval): readonly number[] {
  const before = last.get(hours)
  if (before?.start === range.start && before.end === range.end) return before.edges
  const edges = windowsNear(hours, range)
  last.set(hours, { start: range.start, end: range.end, edges })
  return edges
}

function windowsNear(hours: OpenHours, range: Interval): number[] {
  let around = known.get(hours)
  if (!around || range.start < around.start || range.end > around.end) {
    const start = Math.floor(range.start / BLOCK_MS) * BLOCK_MS
    const end = Math.ceil(range.end / BLOCK_MS) * BLOCK_MS
    around = { start, end, edges: findWindows(hours, { start, end }) }
    known.set(hours, around)
  }
  const { edges } = around
  const overlapping: number[] = []
  for (let at = 0; at < edges.length && edges[at]! < range.end; at += 2) {
    if (edges[at + 1]! > range.start) overlapping.push(edges[at]!, edges[at + 1]!)
  }
  return overlapping
}

function findWindows(hours: OpenHours, range: Interval): number[] {
  const table = zoneTable(hours.timeZone, range.start, range.end)
  const week = weekOf(hours.weekly)
  const firstDay = Math.floor(wallTimeOf(table, range.start) / DAY_MS) - REACH_DAYS
  const lastDay = Math.floor(wallTimeOf(table, range.end) / DAY_MS) + REACH_DAYS
  const overrides = overridesOf(hours, firstDay, lastDay)
  const edges: number[] = []
  let offset: number | null = null
  /** The wall time before which all of a date has that offset. */
  let isSteadyUntil = Number.NEGATIVE_INFINITY
  let weekday = dayOfWeek(firstDay) - 1
  for (let day = firstDay; day <= lastDay; day++) {
    const midnight = day * DAY_MS
    weekday = weekday === 6 ? 0 : weekday + 1
    const override = overrides?.[day - firstDay]
    const windows = override ? mergeWindows(override) : week[weekday]!
    if (windows.length === 0) continue
    if (midnight + DAY_MS >= isSteadyUntil) {
      offset = offsetOfDate(table, midnight)
      isSteadyUntil = offset === null ? Number.NEGATIVE_INFINITY : offsetEndsAt(table, midnight)
    }
    const onDate =
      offset === null
        ? windowsByClock(midnight, windows, override ?? hoursOf(hours.weekly, weekday), table)
        : windows
    const shift = offset === null ? 0 : midnight - offset
    for (let at = 0; at < onDate.length; at++) {
      const start = onDate[at]!.start + shift
      const end = onDate[at]!.end + shift
      if (end <= range.start || start >= range.end) continue
      edges.push(start, end)
    }
  }
  return isAscending(edges) ? edges : sortEdges(edges)
}

/** Whether each window ends before the next begins: only a zone that skips a whole date makes them overlap. */
export function isDisjoint(edges: readonly number[]): boolean {
  for (let at = 2; at < edges.length; at += 2) if (edges[at]! < edges[at - 1]!) return false
  return true
}

/**
 * The intersection of both lists, pair by pair: windows that touch are not merged, because each starts a grid of its own.
 * Lists as `windowEdges` returns them, and so is the result.
 */
export function sharedEdges(one: readonly number[], other: readonly number[]): number[] {
  const shared: number[] = []
  let from = 0
  for (let at = 0; at < one.length; at += 2) {
    const [start, end] = [one[at]!, one[at + 1]!]
    while (from < other.length && other[from + 1]! <= start) from += 2
    for (let next = from; next < other.length && other[next]! < end; next += 2) {
      const [both, until] = [Math.max(start, other[next]!), Math.min(end, other[next + 1]!)]
      if (both < until) shared.push(both, until)
    }
  }
  return isAscending(shared) ? shared : sortEdges(shared)
}

/** The parts of `range` outside all windows; these may overlap and reach outside. */
export function closedTimes(edges: readonly number[], range: Interval): Interval[] {
  const closed: Interval[] = []
  let from = range.start
  for (let at = 0; at < edges.length; at += 2) {
    if (edges[at]! > from) closed.push({ start: from, end: Math.min(edges[at]!, range.end) })
    from = Math.max(from, edges[at + 1]!)
  }
  if (from < range.end) closed.push({ start: from, end: range.end })
  return closed
}

function isAscending(edges: readonly number[]): boolean {
  for (let at = 2; at < edges.length; at += 2) if (edges[at]! < edges[at - 2]!) return false
  return true
}

function sortEdges(edges: readonly number[]): number[] {
  const windows: Interval[] = []
  for (let at = 0; at < edges.length; at += 2) windows.push({ start: edges[at]!, end: edges[at + 1]! })
  return sortIntervals(windows).flatMap(({ start, end }) => [start, end])
}

type Week = readonly (readonly Interval[])[]

/** The merged windows of each day of the week, cached with their hours. */
const weeks = new WeakMap<OpenHours['weekly'], Week>()

function weekOf(weekly: OpenHours['weekly']): Week {
  let week = weeks.get(weekly)
  if (!week) {
    week = [0, 1, 2, 3, 4, 5, 6].map((day) => mergeWindows(hoursOf(weekly, day)))
    weeks.set(weekly, week)
  }
  return week
}

function hoursOf(weekly: OpenHours['weekly'], dayOfWeek: number): readonly TimeWindow[] {
  return weekly.filter((window) => window.dayOfWeek === dayOfWeek)
}

/** What replaces the weekly hours on each of these days; null if nothing does on any. */
function overridesOf({ overrides }: OpenHours, firstDay: number, lastDay: number) {
  let found: (readonly TimeWindow[])[] | null = null
  for (const [midnight, windows] of overrides) {
    const day = midnight / DAY_MS
    if (day >= firstDay && day <= lastDay) {
      found ??= []
      found[day - firstDay] = windows
    }
  }
  return found
}

function dayOfWeek(day: number): number {
  return (((day + EPOCH_DAY_OF_WEEK) % 7) + 7) % 7
}

function mergeWindows(windows: readonly TimeWindow[]): Interval[] {
  return mergeIntervals(windows.map(intervalOf))
}

function intervalOf({ startMs, endMs }: TimeWindow): Interval {
  return { start: startMs, end: endMs }
}

/**
 * The windows of a date on which the clock changes. Their edges are converted separately and windows across a gap are
 * joined, so that only starts in the gap move.
 */
function windowsByClock(
  midnight: number,
  joined: readonly Interval[],
  single: readonly TimeWindow[],
  table: ZoneTable,
): Interval[] {
  const instants = [...joined, ...single.map(intervalOf)].map((window) => ({
    start: instantOf(table, midnight + window.start),
    end: instantOf(table, midnight + window.end),
  }))
  // A gap can push one window into another, or its start past its end.
  return mergeIntervals(instants)
}
