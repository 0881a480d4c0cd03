/**
 * The windows that teams of `size` people share, each as the one who comes last to it begins it: as long as enough of the
 * others are there. `lists` are the windows of each person, starts and ends in turn, by ascending starts.
 */
export function teamWindows(lists: readonly (readonly number[])[], size: number): number[][] {
  return lists.map((edges, person) => {
    const from = new Int32Array(lists.length)
    const shared: number[] = []
    for (let at = 0; at < edges.length; at += 2) {
      const [start, end] = [edges[at]!, edges[at + 1]!]
      const ends: number[] = []
      for (let other = 0; other < lists.length; other++) {
        if (other === person) continue
        const theirs = lists[other]!
        while (from[other]! < theirs.length && theirs[from[other]! + 1]! <= start) from[other]! += 2
        const until = lastEnd(theirs, from[other]!, start)
        if (until > start) ends.push(until)
      }
      if (ends.length < size - 1) continue
      ends.sort((a, b) => b - a)
      shared.push(start, Math.min(end, ends[size - 2]!))
    }
    return shared
  })
}

/** The last end of the windows that begin until `start`, from one of them on. */
function lastEnd(edges: readonly number[], from: number, start: number): number {
  let until = start
  for (let at = from; at < edges.length && edges[at]! <= start; at += 2)
    until = Math.max(until, edges[at + 1]!)
  return until
}
