/** The end of the UIDs of all events that we write, after the id of the booking or session. */
export const OWN_MARK = '@holdfast'

/** Whether a UID has the form of ours; only a query says whose it is. */
export function isMarked(uid: string): boolean {
  return uid.endsWith(OWN_MARK)
}

/** A booking or session has one event UID in every calendar, as long as it exists. */
export function uidOf(holderId: string): string {
  return `${holderId}${OWN_MARK}`
}
