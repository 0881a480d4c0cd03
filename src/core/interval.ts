/** Half-open `[start, end)`, in epoch milliseconds unless a caller says otherwise. */
export type Interval = { readonly start: number; readonly end: number }

/** The intervals in ascending order of their starts; the same array if they are in order already. */
export function sortIntervals<List extends readonly Interval[]>(intervals: List): List | Interval[] {
  for (let index = 1; index < intervals.length; index++) {
    if (intervals[index]!.start < intervals[index - 1]!.start) {
      return intervals.toSorted((a, b) => a.start - b.start)
    }
  }
  return intervals
}

/** The union of the intervals: ascending, disjoint, touching ones joined, without empty ones. */
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

/** Whether the two overlap. Touching or empty intervals do not. */
export function overlaps(a: Interval, b: Interval): boolean {
  return Math.max(a.start, b.start) < Math.min(a.end, b.end)
}

/** The intersection; each list must be ascending and disjoint, and so is the result. */
export function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const common: Interval[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i]!, b[j]!]
    const start = Math.max(one.start, other.start)
    const end = Math.min(one.end, other.end)
    if (start < end) common.push({ start, end })
    if (one.end < other.end) i++
    else j++
  }
  return common
}
