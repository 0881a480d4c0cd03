import type { Note } from './causes.ts'
import type { Interval } from './interval.ts'
import { windowEdges } from './open-hours.ts'
import { type Person, personTeller } from './person.ts'
import type { SlotRequest } from './slot-request.ts'
import { covers, meets } from './sweep.ts'

export type IsOpen = (start: number, isBusy: boolean, note?: Note) => boolean

/**
 * All rules except the grid and taken time, for ascending starts; null if there are none. A session is open as long as it
 * has seats. `edges` are the windows of each of `oneOf`, if they are known.
 */
export function furtherRules(
  request: SlotRequest,
  around: Interval,
  edges?: readonly (readonly number[])[],
): IsOpen | null {
  const { durationMs, sessions, fullPeriods, fullForNew = [], closed = [], within = [], oneOf } = request
  const isPlain = fullPeriods.length + fullForNew.length + closed.length + within.length === 0
  if (isPlain && !sessions?.size && !oneOf) return null
  const isFull = meets(fullPeriods)
  const isFullForNew = meets(fullForNew)
  const isOff = meets(closed)
  const areOpen = within.map((hours) => covers(windowEdges(hours, around)))
  const canAnyTake = oneOf ? anyOf(oneOf, request, around, edges) : null
  return (start, isBusy, note) => {
    const end = start + durationMs
    if (isFull(start, start + 1) && !note?.({ rule: 'cap' })) return false
    if (isOff(start, end) && !note?.({ rule: 'closed' })) return false
    if (!areOpen.every((isOpen, at) => isOpen(start, end) || note?.({ rule: 'hours', hours: within[at]! }))) {
      return false
    }
    const isJoinable = sessions?.get(start)
    if (isJoinable !== undefined) return isJoinable || (note?.({ rule: 'session' }) ?? false)
    if (isBusy && !note?.({ rule: 'busy' })) return false
    if (isFullForNew(start, start + 1) && !note?.({ rule: 'limit' })) return false
    return canAnyTake === null || canAnyTake(start) || (note?.({ rule: 'people' }) ?? false)
  }
}

function anyOf(
  people: readonly Person[],
  request: SlotRequest,
  around: Interval,
  edges?: readonly (readonly number[])[],
): (start: number) => boolean {
  const tellers: ((start: number) => number)[] = []
  /** The instant before which each of them can take nothing. */
  const freeFrom = new Float64Array(people.length).fill(Number.NEGATIVE_INFINITY)
  let lastFree = 0
  return (start) => {
    // The person who was free last is most often free again.
    for (let turn = 0, at = lastFree; turn < people.length; turn++, at++) {
      if (at === people.length) at = 0
      if (freeFrom[at]! > start) continue
      tellers[at] ??= personTeller(people[at]!, request, around, edges?.[at])
      freeFrom[at] = tellers[at]!(start)
      if (freeFrom[at] !== start) continue
      lastFree = at
      return true
    }
    return false
  }
}
