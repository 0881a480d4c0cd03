/** Half-open `[start, end)`, in epoch milliseconds unless a caller says otherwise. */
export type Interval = { readonly start: number; readonly end: number }

/** The intervals in ascending order of their starts; the same array when they are in order already. */
export function sortIntervals<List extends readonly Interval[]>(intervals: List): List | Interval[] {
  for (let index = 1; index < intervals.length; index++) {
    if (intervals[index]!.start < intervals[index - 1]!.start) {
      return intervals.toSorted((a, b) => a.start - b.start)
    }
  }
  return intervals
}

/** The union of the intervals: ascending, disjoint, touching ones joined. Empty intervals vanish. */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  let last: Interval | undefined
  for (const next of sortIntervals(intervals)) {
    if (next.start >= next.end) continue
    if (last === undefined || next.start > last.end) {
      last = next
      merged.push(next)
    } else if (next.end > last.end) {
      last = { start: last.start, end: next.end }
      merged[merged.length - 1] = last
    }
  }
  return merged
}

/** Whether the two share an instant. Touching intervals do not, and an empty one shares nothing. */
export function overlaps(a: Interval, b: Interval): boolean {
  return Math.max(a.start, b.start) < Math.min(a.end, b.end)
}
