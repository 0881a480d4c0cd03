import type { Interval } from './interval.ts'
import { type Person, personTeller } from './person.ts'
import type { SlotRequest } from './slot-request.ts'

/**
 * Those of the ascending starts that one of `oneOf` can take, or that are sessions: these have their host. `edges` are the
 * windows of each person, if they are known. One person after another, each for the starts that nobody before can take.
 */
export function takenByAny(
  starts: readonly number[],
  request: SlotRequest,
  around: Interval,
  edges?: readonly (readonly number[])[],
): readonly number[] {
  const { oneOf, sessions } = request
  if (!oneOf) return starts
  /** The starts that nobody was found for yet. */
  const left = Float64Array.from(sessions?.size ? starts.filter((start) => !sessions.has(start)) : starts)
  let count = left.length
  for (let person = 0; person < oneOf.length && count > 0; person++) {
    const freeFrom = personTeller(oneOf[person]!, request, around, edges?.[person])
    let kept = 0
    for (let at = 0; at < count; ) {
      const from = freeFrom(left[at]!)
      const next = from > left[at]! ? firstFrom(left, count, from, at) : at + 1
      if (from > left[at]!) {
        if (kept < at) left.copyWithin(kept, at, next)
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

/** Whether one of the people can take ascending starts. */
export function anyTeller(
  people: readonly Person[],
  request: SlotRequest,
  around: Interval,
  edges?: readonly (readonly number[])[],
): (start: number) => boolean {
  const tellers = people.map((person, at) => personTeller(person, request, around, edges?.[at]))
  return (start) => tellers.some((freeFrom) => freeFrom(start) === start)
}
