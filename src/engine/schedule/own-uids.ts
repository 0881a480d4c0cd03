/** What the UID of every event that we write ends with, after the id of the booking or session. */
export const OWN_MARK = '@holdfast'

/** Whether a UID looks like one of ours; whose it is takes a question to tell. */
export function isMarked(uid: string): boolean {
  return uid.endsWith(OWN_MARK)
}

/** One booking or session is one event in every calendar, for as long as it lives. */
export function uidOf(holderId: string): string {
  return `${holderId}${OWN_MARK}`
}
