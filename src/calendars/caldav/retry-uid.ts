const MARK = /\.again-\d+(?=@|$)/

/**
 * The UID of an event that a calendar takes no more under its own, because it keeps that in its trash: `a@x` becomes
 * `a.again-1@x`. All that is read is known by the plain one.
 */
export function uidAgain(uid: string, times: number): string {
  return times === 0 ? uid : uid.replace(/(?=@|$)/, `.again-${times}`)
}

export function plainUid(uid: string): string {
  return uid.replace(MARK, '')
}
