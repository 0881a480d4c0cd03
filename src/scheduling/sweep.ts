import { type Interval, sortIntervals } from './interval.ts'

/** A question about `[start, end)`, asked about one span after another: neither end ever moves back. */
export type Sweep = (start: number, end: number) => boolean

/** Whether any of the intervals, in any order, overlapping or not, shares an instant with the span. */
export function meets(intervals: readonly Interval[]): Sweep {
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

/**
 * Whether the whole span lies in the windows (starts and ends in turn, by ascending starts). Windows that touch or
 * overlap are one stretch, which a span may lie across.
 */
export function covers(edges: readonly number[]): Sweep {
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
    return stretchStart <= start && end <= stretchEnd
  }
}
