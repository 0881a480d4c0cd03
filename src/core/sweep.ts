import type { Interval } from './interval.ts'
import { firstEndingAfter, stretchEdges } from './stretches.ts'

/** A question about `[start, end)`, asked about one span after another: neither end may decrease. */
type Sweep<Answer = boolean> = (start: number, end: number) => Answer

/** Whether any of the intervals, in any order, overlaps the span. */
export function meets(intervals: readonly Interval[]): Sweep {
  const until = meetsUntil(intervals)
  return (start, end) => until(start, end) > start
}

/** The end of the first stretch of intervals that overlaps the span; its start if none does. */
export function meetsUntil(intervals: readonly Interval[]): Sweep<number> {
  const edges = stretchEdges(intervals)
  let next = -1
  return (start, end) => {
    if (next < 0) next = firstEndingAfter(edges, start)
    while (next < edges.length && edges[next + 1]! <= start) next += 2
    return next < edges.length && edges[next]! < end ? edges[next + 1]! : start
  }
}

/** The span's start if one of the intervals overlaps it; otherwise an instant before which none does any span of that length. */
export function meetsFrom(intervals: readonly Interval[]): Sweep<number> {
  const edges = stretchEdges(intervals)
  let next = -1
  return (start, end) => {
    if (next < 0) next = firstEndingAfter(edges, start)
    while (next < edges.length && edges[next + 1]! <= start) next += 2
    if (next === edges.length) return Number.POSITIVE_INFINITY
    return Math.max(start, edges[next]! - (end - start) + 1)
  }
}

/**
 * Whether the whole span lies in the windows (starts and ends in turn, by ascending starts). Windows that touch or overlap
 * are one open span.
 */
export function covers(edges: readonly number[]): Sweep {
  const from = coversFrom(edges)
  return (start, end) => from(start, end) === start
}

/** The span's start if it lies in the windows; otherwise an instant before which no span of that length does. */
export function coversFrom(edges: readonly number[]): Sweep<number> {
  let next = 0
  let stretchStart = Number.POSITIVE_INFINITY
  let stretchEnd = Number.NEGATIVE_INFINITY
  return (start, end) => {
    while (next < edges.length && stretchEnd < end) {
      if (edges[next]! <= stretchEnd) stretchEnd = Math.max(stretchEnd, edges[next + 1]!)
      else if (edges[next]! <= start) [stretchStart, stretchEnd] = [edges[next]!, edges[next + 1]!]
      else break
      next += 2
    }
    if (end <= stretchEnd) return Math.max(start, stretchStart)
    return next < edges.length ? edges[next]! : Number.POSITIVE_INFINITY
  }
}
