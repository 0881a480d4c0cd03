import { findEach } from './find-each.ts'
import type { Interval } from './interval.ts'
import { type Person, personTeller } from './person.ts'
import type { SlotRequest } from './slot-request.ts'
import { meetsFrom } from './sweep.ts'

/**
 * Those of the ascending starts that enough of `anyOf` can take, or that are sessions: these have their hosts. `edges` are
 * the windows of each person, if they are known.
 */
export function takenByAny(
  starts: readonly number[],
  request: SlotRequest,
  around: Interval,
  edges?: readonly (readonly number[])[],
): readonly number[] {
  const { anyOf, count = 1 } = request
  if (!anyOf || count === 0) return starts
  const own = withoutSessions(starts, request)
  const places = findEach({ rules: request, starts: own, items: anyOf, count }, (person, at) =>
    personTeller(person, request, around, edges?.[at]),
  )
  return without(starts, own, (row) => places[(row + 1) * count - 1]! < 0)
}

/** Those of the ascending starts at which nothing is taken of anybody whom every start needs, or that are sessions. */
export function freeOfAll(starts: readonly number[], request: SlotRequest): readonly number[] {
  const items = request.taken?.filter(({ length }) => length > 0) ?? []
  if (items.length === 0) return starts
  const { bufferBeforeMs, bufferAfterMs, durationMs } = request
  const own = withoutSessions(starts, request)
  const places = findEach({ rules: request, starts: own, items, count: 1 }, (list) => {
    const takenFrom = meetsFrom(list)
    return (start) => takenFrom(start - bufferBeforeMs, start + durationMs + bufferAfterMs) + bufferBeforeMs
  })
  return without(starts, own, (row) => places[row]! >= 0)
}

function withoutSessions(starts: readonly number[], { sessions }: SlotRequest): readonly number[] {
  return sessions?.size ? starts.filter((start) => !sessions.has(start)) : starts
}

/** The starts without those of a part of them for which that is so; both ascend. */
function without(
  starts: readonly number[],
  part: readonly number[],
  isGone: (row: number) => boolean,
): readonly number[] {
  const left: number[] = []
  let row = 0
  for (const start of starts) if (part[row] !== start || !isGone(row++)) left.push(start)
  return left
}

/** Returns for ascending starts whether enough of the people can take them. */
export function anyTeller(
  people: readonly Person[],
  request: SlotRequest,
  around: Interval,
  edges?: readonly (readonly number[])[],
): (start: number) => boolean {
  const { count = 1 } = request
  const tellers = people.map((person, at) => personTeller(person, request, around, edges?.[at]))
  return (start) => {
    let found = 0
    for (let at = 0; at < tellers.length && found < count; at++) if (tellers[at]!(start) === start) found += 1
    return found >= count
  }
}
