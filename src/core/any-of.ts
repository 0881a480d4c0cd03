import type { Interval } from './interval.ts'
import { type Person, personTeller } from './person.ts'
import type { SlotRequest } from './slot-request.ts'

/**
 * Those of the ascending starts that enough of `anyOf` can take, or that are sessions: these have their hosts. `edges` are
 * the windows of each person, if they are known. One person after another, each for the starts that still lack somebody.
 */
export function takenByAny(
  starts: readonly number[],
  request: SlotRequest,
  around: Interval,
  edges?: readonly (readonly number[])[],
): readonly number[] {
  const { anyOf, count: needed = 1, sessions } = request
  if (!anyOf) return starts
  /** The starts that not enough people were found for yet, and how many they lack. */
  const left = Float64Array.from(sessions?.size ? starts.filter((start) => !sessions.has(start)) : starts)
  const lacks = new Uint8Array(left.length).fill(needed)
  let count = left.length
  for (let person = 0; person < anyOf.length && count > 0; person++) {
    const freeFrom = personTeller(anyOf[person]!, request, around, edges?.[person])
    let kept = 0
    for (let at = 0; at < count; ) {
      const from = freeFrom(left[at]!)
      const isFree = from <= left[at]!
      const next = isFree ? at + 1 : firstFrom(left, count, from, at)
      if (isFree) lacks[at]! -= 1
      if (lacks[at]! > 0) {
        if (kept < at) {
          left.copyWithin(kept, at, next)
          lacks.copyWithin(kept, at, next)
        }
        kept += next - at
      }
      at = next
    }
    count = kept
  }
  return count === 0 ? starts : without(starts, left.subarray(0, count))
}

/** Both ascend. */
function without(starts: readonly number[], left: Float64Array): number[] {
  let next = 0
  return starts.filter((start) => {
    if (left[next] !== start) return true
    next += 1
    return false
  })
}

/** Where the first of the `count` ascending starts after place `after` is that is not before `instant`. */
function firstFrom(starts: Float64Array, count: number, instant: number, after: number): number {
  let step = 1
  while (after + step < count && starts[after + step]! < instant) step *= 2
  let [from, to] = [after + (step >> 1) + 1, Math.min(after + step, count)]
  while (from < to) {
    const middle = (from + to) >> 1
    if (starts[middle]! < instant) from = middle + 1
    else to = middle
  }
  return from
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
