import { type Interval, mergeIntervals } from './interval.ts'

const NO_EDGES = new Float64Array()

/** By list, because the lists of a schedule are asked about again and again. */
const known = new WeakMap<readonly Interval[], Float64Array>()

/** The union of the intervals as one list of numbers: each stretch's start and then its end, ascending and disjoint. */
export function stretchEdges(intervals: readonly Interval[]): Float64Array {
  if (intervals.length === 0) return NO_EDGES
  let edges = known.get(intervals)
  if (!edges) {
    const stretches = mergeIntervals(intervals)
    edges = new Float64Array(2 * stretches.length)
    for (let at = 0; at < stretches.length; at++) {
      edges[2 * at] = stretches[at]!.start
      edges[2 * at + 1] = stretches[at]!.end
    }
    known.set(intervals, edges)
  }
  return edges
}

/** Where the first stretch is that ends after the instant; the length of the list if all end before. */
export function firstEndingAfter(edges: Float64Array, instant: number): number {
  let [from, to] = [0, edges.length / 2]
  while (from < to) {
    const middle = (from + to) >> 1
    if (edges[2 * middle + 1]! <= instant) from = middle + 1
    else to = middle
  }
  return 2 * from
}
