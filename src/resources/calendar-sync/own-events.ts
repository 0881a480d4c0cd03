import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { findOwnUids } from './store.ts'

/** What the UID of every event that we write ends with, after the id of the booking or session. */
const MARK = '@holdfast'

/** Whether a UID looks like one of ours; whose it is takes a question to tell. */
export function isMarked(uid: string): boolean {
  return uid.endsWith(MARK)
}

export function uidOf(holderId: string): string {
  return `${holderId}${MARK}`
}

/**
 * Tells which of the UIDs stand for something that the organization booked. Others have events of this service
 * in their calendars too: whoever is invited by another organization is busy then.
 */
export async function isOwnUid(
  env: Env,
  organizationId: string,
  uids: readonly string[],
): Promise<(uid: string) => boolean> {
  const marked = uids.filter(isMarked)
  if (marked.length === 0) return () => false
  const own = await findOwnUids(openDb(env, 'decide'), organizationId, marked)
  return (uid) => own.has(uid)
}
