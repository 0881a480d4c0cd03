import type { Note } from './causes.ts'
import type { Interval } from './interval.ts'
import { windowEdges } from './open-hours.ts'
import type { SlotRequest } from './slot-request.ts'
import { covers, meets } from './sweep.ts'

export type IsOpen = (start: number, isBusy: boolean, note?: Note) => boolean

/**
 * All rules except the grid, taken time and the people of whom some are enough, for ascending starts; null if there are none.
 * A session is open as long as it has seats.
 */
export function furtherRules(request: SlotRequest, around: Interval): IsOpen | null {
  const { durationMs, sessions, fullPeriods, fullForNew = [], closed = [], within = [] } = request
  const isPlain = fullPeriods.length + fullForNew.length + closed.length + within.length === 0
  if (isPlain && !sessions?.size) return null
  const isFull = meets(fullPeriods)
  const isFullForNew = meets(fullForNew)
  const isOff = meets(closed)
  const areOpen = within.map((hours) => covers(windowEdges(hours, around)))
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
    return !isFullForNew(start, start + 1) || (note?.({ rule: 'limit' }) ?? false)
  }
}
