import { type Interval, intersect, mergeIntervals } from './interval.ts'
import type { ZoneTable } from './local-time.ts'
import { type OpenHours, openWindows } from './open-hours.ts'

/** What a booking takes beside its time, all in milliseconds. */
export type SlotRules = {
  readonly durationMs: number
  readonly bufferBeforeMs: number
  readonly bufferAfterMs: number
}

export type SlotRequest = SlotRules & {
  /** Starts are looked for in `[range.start, range.end)`. */
  readonly range: Interval
  /** The event type's zone, covering the range. */
  readonly table: ZoneTable
  readonly hours: OpenHours
  /** The present plus the minimum notice. */
  readonly earliestStart: number
  /** Holds and external busy times of what every start needs, in any order; they may overlap. */
  readonly busy: readonly Interval[]
  /** Where one of several resources is enough: the busy times of each. Without any resource nothing is open. */
  readonly oneOf?: readonly (readonly Interval[])[]
  /**
   * Meetings that are held already and that bookings share, by their start: whether another one may join. Their
   * seats decide alone, for a session's own hold is no reason to close it.
   */
  readonly sessions?: ReadonlyMap<number, boolean>
  /** No start lies in one of these. */
  readonly fullPeriods: readonly Interval[]
}

/** The time that a booking at `start` takes of each of its resources: its own and the buffers around it. */
export function holdOf(start: number, rules: SlotRules): Interval {
  return { start: start - rules.bufferBeforeMs, end: start + rules.durationMs + rules.bufferAfterMs }
}

/**
 * The starts that can be booked, ascending and unique. Throws a RangeError when the duration is not positive.
 */
export function openStarts(request: SlotRequest): number[] {
  const { range, table, hours, durationMs } = request
  if (!(durationMs > 0)) throw new RangeError('durationMs must be positive')
  const first = Math.max(range.start, request.earliestStart)
  if (!(first < range.end)) return []
  const windows = openWindows(hours, table, { start: first, end: range.end + durationMs })
  const stretches = mergeIntervals(windows)
  const refused = refusedStarts(request, { start: first, end: range.end })
  const { sessions } = request

  const starts: number[] = []
  let stretch = 0
  let refusal = 0
  for (const start of gridStarts(windows, durationMs, first, range.end)) {
    while (stretches[stretch]!.end <= start) stretch++
    if (start + durationMs > stretches[stretch]!.end) continue
    const isJoinable = sessions?.get(start)
    if (isJoinable !== undefined) {
      if (isJoinable && !isInside(request.fullPeriods, start)) starts.push(start)
      continue
    }
    while (refusal < refused.length && refused[refusal]!.end <= start) refusal++
    if (refusal < refused.length && refused[refusal]!.start <= start) continue
    starts.push(start)
  }
  return starts
}

/** Whether `start` can be booked: the same decision as `openStarts`, asked about one instant. */
export function isOpenStart(request: SlotRequest, start: number): boolean {
  return openStarts({ ...request, range: { start, end: start + 1 } }).includes(start)
}

/** Every window's own steps within `[from, to)`, ascending and unique. */
function gridStarts(windows: readonly Interval[], stepMs: number, from: number, to: number): number[] {
  const starts: number[] = []
  let previousEnd = Number.NEGATIVE_INFINITY
  let ascending = true
  for (const window of windows) {
    if (window.start < previousEnd) ascending = false
    previousEnd = Math.max(previousEnd, window.end)
    const stepsBefore = Math.max(0, Math.ceil((from - window.start) / stepMs))
    const end = Math.min(window.end, to)
    for (let start = window.start + stepsBefore * stepMs; start < end; start += stepMs) starts.push(start)
  }
  // Only a zone that skips a whole date lays the windows of two dates over each other.
  return ascending ? starts : [...new Set(starts)].sort((a, b) => a - b)
}

function isInside(intervals: readonly Interval[], instant: number): boolean {
  return intervals.some(({ start, end }) => start <= instant && instant < end)
}

/** The starts within `range` whose hold finds no resource free, or that lie in a full period. */
function refusedStarts(request: SlotRequest, range: Interval): Interval[] {
  const { busy, oneOf, fullPeriods } = request
  const everyone = refusedBy(busy, request, range)
  if (!oneOf) return mergeIntervals(fullPeriods.length === 0 ? everyone : [...fullPeriods, ...everyone])
  // A host with little to do rules out most of what the others refuse.
  const shortestFirst = oneOf.toSorted((a, b) => a.length - b.length)
  let byAll: Interval[] = [{ start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }]
  for (const one of shortestFirst) {
    if (byAll.length === 0) break
    byAll = intersect(byAll, mergeIntervals(refusedBy(one, request, range)))
  }
  return mergeIntervals([...fullPeriods, ...everyone, ...byAll])
}

function refusedBy(busy: readonly Interval[], rules: SlotRules, range: Interval): Interval[] {
  const { durationMs, bufferBeforeMs, bufferAfterMs } = rules
  const refused: Interval[] = []
  for (const { start, end } of busy) {
    if (start >= end) continue
    // The hold ends at start + duration + after, so one that only touches the busy time is free.
    const first = start - durationMs - bufferAfterMs + 1
    const after = end + bufferBeforeMs
    if (first < range.end && after > range.start) refused.push({ start: first, end: after })
  }
  return refused
}
