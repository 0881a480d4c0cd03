/** What the UID of every event that we write ends with, after the id of the booking or session. */
const MARK = '@holdfast'

/** Whether a UID looks like one of ours; whose it is takes a question to tell. */
export function isMarked(uid: string): boolean {
  return uid.endsWith(MARK)
}

export function uidOf(holderId: string): string {
  return `${holderId}${MARK}`
}
