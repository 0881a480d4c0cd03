/**
 * The steps of `stepMs` from the start of each window that lie in `[first, end)` and before the window's end, ascending and
 * unique. The windows (starts and ends in turn) may be of several grids, in any order, and overlap. Grids with the same
 * offset are counted as one, so that fifty people with similar hours cost little more than one.
 */
export function gridSteps(
  lists: readonly (readonly number[])[],
  stepMs: number,
  first: number,
  end: number,
): number[] {
  /** Per offset: at each step, how many windows begin less how many end. */
  const grids = new Map<number, Int32Array<ArrayBufferLike>>()
  const length = Math.ceil((end - first) / stepMs) + 1
  let known = -1
  let changes: Int32Array = new Int32Array()
  for (const edges of new Set(lists)) {
    for (let at = 0; at < edges.length; at += 2) {
      const steps = Math.floor((edges[at]! - first) / stepMs)
      const offset = edges[at]! - first - steps * stepMs
      if (offset !== known) {
        known = offset
        changes = grids.get(offset) ?? new Int32Array(length)
        grids.set(offset, changes)
      }
      const from = Math.max(0, steps)
      const until = Math.ceil((Math.min(edges[at + 1]!, end) - first - offset) / stepMs)
      if (from >= until) continue
      changes[from]! += 1
      changes[until]! -= 1
    }
  }
  const ascending = [...grids].sort(([one], [other]) => one - other)
  const open = ascending.map(() => 0)
  const steps: number[] = []
  for (let at = 0; at < length; at++) {
    for (let grid = 0; grid < ascending.length; grid++) {
      const [offset, changes] = ascending[grid]!
      open[grid]! += changes[at]!
      if (open[grid]! > 0) steps.push(first + offset + at * stepMs)
    }
  }
  return steps
}
