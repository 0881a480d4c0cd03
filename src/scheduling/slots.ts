import { type Interval, sortIntervals } from './interval.ts'
import type { ZoneTable } from './local-time.ts'
import { type OpenHours, windowEdges } from './open-hours.ts'

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
  const edges = windowEdges(hours, table, { start: first, end: range.end + durationMs })
  if (isDisjoint(edges)) return startsWithin(request, edges, first)
  const starts = new Set<number>()
  for (let at = 0; at < edges.length; at += 2) {
    for (const start of startsWithin(request, edges, first, at)) starts.add(start)
  }
  return [...starts].sort((a, b) => a - b)
}

/** Whether `start` can be booked: the same decision as `openStarts`, asked about one instant. */
export function isOpenStart(request: SlotRequest, start: number): boolean {
  return openStarts({ ...request, range: { start, end: start + 1 } }).includes(start)
}

/** Only a zone that skips a whole date lays the windows of two dates over each other. */
function isDisjoint(edges: readonly number[]): boolean {
  for (let at = 2; at < edges.length; at += 2) if (edges[at]! < edges[at - 1]!) return false
  return true
}

/**
 * The free starts among the windows' own steps from `first` on, of the window `only` or of all of them; these must
 * be disjoint then. One pass: every window and every busy time is looked at once, and a step costs a few comparisons.
 */
function startsWithin(
  request: SlotRequest,
  edges: readonly number[],
  first: number,
  only: number | null = null,
): number[] {
  const { durationMs, bufferBeforeMs, range } = request
  const afterMs = durationMs + request.bufferAfterMs
  const busy = sortIntervals(request.busy)
  const isOpen = furtherRules(request)
  const starts: number[] = []
  let stretchEnd = 0
  let nextStretch = 0
  let busyAt = 0
  let busyStart = busy.length > 0 ? busy[0]!.start : Number.POSITIVE_INFINITY
  /** The latest end of the busy times that begin before the present hold ends. */
  let busyUntil = Number.NEGATIVE_INFINITY
  for (let at = 0; at < edges.length; at += 2) {
    const windowStart = edges[at]!
    if (at === nextStretch) {
      // Windows that touch are one stretch of open time, which a booking may lie across.
      stretchEnd = edges[at + 1]!
      for (nextStretch += 2; edges[nextStretch]! <= stretchEnd; nextStretch += 2) {
        stretchEnd = Math.max(stretchEnd, edges[nextStretch + 1]!)
      }
    }
    if (only !== null && only !== at) continue
    const stepsBefore = windowStart < first ? Math.ceil((first - windowStart) / durationMs) : 0
    const end = Math.min(edges[at + 1]!, range.end, stretchEnd - durationMs + 1)
    for (let start = windowStart + stepsBefore * durationMs; start < end; start += durationMs) {
      while (busyStart < start + afterMs) {
        const busyEnd = busy[busyAt]!.end
        if (busyEnd > busyUntil && busyEnd > busyStart) busyUntil = busyEnd
        busyAt += 1
        busyStart = busyAt < busy.length ? busy[busyAt]!.start : Number.POSITIVE_INFINITY
      }
      const isBusy = busyUntil > start - bufferBeforeMs
      if (isOpen === null ? !isBusy : isOpen(start, isBusy)) starts.push(start)
    }
  }
  return starts
}

type IsOpen = (start: number, isBusy: boolean) => boolean

/**
 * What full periods, sessions and single hosts say of a start, asked in ascending order; null where there are none.
 * A session that is held already is open as long as its seats are.
 */
function furtherRules(request: SlotRequest): IsOpen | null {
  const { durationMs, bufferBeforeMs, bufferAfterMs, sessions, fullPeriods, oneOf } = request
  if (fullPeriods.length === 0 && !sessions?.size && !oneOf) return null
  const isFull = meets(fullPeriods)
  const hosts = oneOf?.map(meets)
  let lastFree = 0
  const isAnyFree = (start: number, end: number) => {
    // Whoever was free a moment ago most often still is.
    for (let turn = 0; turn < hosts!.length; turn++) {
      const at = (lastFree + turn) % hosts!.length
      if (hosts![at]!(start, end)) continue
      lastFree = at
      return true
    }
    return false
  }
  return (start, isBusy) => {
    if (isFull(start, start + 1)) return false
    const isJoinable = sessions?.get(start)
    if (isJoinable !== undefined) return isJoinable
    if (isBusy) return false
    return !hosts || isAnyFree(start - bufferBeforeMs, start + durationMs + bufferAfterMs)
  }
}

/**
 * Whether any of the intervals (in any order, overlapping or not) shares an instant with a span; asked about spans
 * that move forward, so that each interval is looked at once.
 */
function meets(intervals: readonly Interval[]): (start: number, end: number) => boolean {
  const sorted = sortIntervals(intervals)
  let next = 0
  let latestEnd = Number.NEGATIVE_INFINITY
  return (start, end) => {
    for (; next < sorted.length && sorted[next]!.start < end; next++) {
      const interval = sorted[next]!
      if (interval.end > latestEnd && interval.end > interval.start) latestEnd = interval.end
    }
    return latestEnd > start
  }
}
