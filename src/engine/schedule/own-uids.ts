import type { Interval } from '../../core/interval.ts'
import type { Hold, Schedule } from './schedule.ts'
import { tagOf } from './taken/read-times.ts'

/** The end of the UIDs of all events that we write, after the id of the booking or session. */
export const OWN_MARK = '@holdfast'

/** Whether a UID has the form of ours; only a query says whose it is. */
export function isMarked(uid: string): boolean {
  return uid.endsWith(OWN_MARK)
}

/** Returns whether an event is of a holder of time in the schedule, and blocks only what they hold. */
export function ownEventTeller({
  holds,
  kept,
}: Schedule): (uid: string, busy: readonly Interval[]) => boolean {
  let byTag: Map<string, Hold[]> | null = null
  return (uid, busy) => {
    if (!isMarked(uid)) return false
    byTag ??= Map.groupBy([...holds.values(), kept].flat(), ({ holder }) => holder)
    const held = byTag.get(tagOf(uid.slice(0, -OWN_MARK.length))) ?? []
    return busy.every(({ start, end }) => held.some((hold) => hold.meetsAt <= start && end <= hold.end))
  }
}

/** A booking or session has one event UID in every calendar, as long as it exists. */
export function uidOf(holderId: string): string {
  return `${holderId}${OWN_MARK}`
}
