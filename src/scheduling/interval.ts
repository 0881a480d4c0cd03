/** Half-open `[start, end)`, in epoch milliseconds unless a caller says otherwise. */
export type Interval = { readonly start: number; readonly end: number }

/** The union of the intervals: ascending, disjoint, touching ones joined. Empty intervals vanish. */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.filter((interval) => interval.start < interval.end)
  sorted.sort((a, b) => a.start - b.start)
  const merged: Interval[] = []
  for (const next of sorted) {
    const last = merged.at(-1)
    if (last === undefined || next.start > last.end) merged.push(next)
    else if (next.end > last.end) merged[merged.length - 1] = { start: last.start, end: next.end }
  }
  return merged
}

/** Whether the two share an instant. Touching intervals do not, and an empty one shares nothing. */
export function overlaps(a: Interval, b: Interval): boolean {
  return Math.max(a.start, b.start) < Math.min(a.end, b.end)
}
