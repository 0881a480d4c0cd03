import { type Interval, sortIntervals } from './interval.ts'

/** A question about `[start, end)`, asked about one span after another: neither end may decrease. */
type Sweep<Answer = boolean> = (start: number, end: number) => Answer

/** Whether any of the intervals, in any order, overlaps the span. */
export function meets(intervals: readonly Interval[]): Sweep {
  const until = meetsUntil(intervals)
  return (start, end) => until(start, end) > start
}

/**
 * Until when later spans overlap: the latest end of the intervals that begin before the span's end. If that is not after
 * the span's start, it overlaps none.
 */
export function meetsUntil(intervals: readonly Interval[]): Sweep<number> {
  const sorted = sortIntervals(intervals)
  let next = 0
  let latestEnd = Number.NEGATIVE_INFINITY
  return (_start, end) => {
    for (; next < sorted.length && sorted[next]!.start < end; next++) {
      const interval = sorted[next]!
      if (interval.end > latestEnd && interval.end > interval.start) latestEnd = interval.end
    }
    return latestEnd
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
