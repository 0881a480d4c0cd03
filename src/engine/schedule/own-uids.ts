import type { Schedule } from './schedule.ts'
import { tagOf } from './taken/read-times.ts'

/** The end of the UIDs of all events that we write, after the id of the booking or session. */
export const OWN_MARK = '@holdfast'

/** Whether a UID has the form of ours; only a query says whose it is. */
export function isMarked(uid: string): boolean {
  return uid.endsWith(OWN_MARK)
}

/** Returns whether a UID is of a holder of time in the schedule. */
export function ownUidTeller({ holds, kept }: Schedule): (uid: string) => boolean {
  let tags: ReadonlySet<string> | null = null
  return (uid) => {
    if (!isMarked(uid)) return false
    tags ??= new Set(
      [...holds.values(), kept].flatMap((ofResource) => ofResource.map(({ holder }) => holder)),
    )
    return tags.has(tagOf(uid.slice(0, -OWN_MARK.length)))
  }
}

/** A booking or session has one event UID in every calendar, as long as it exists. */
export function uidOf(holderId: string): string {
  return `${holderId}${OWN_MARK}`
}
