import { openDb } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import { isMarked } from '../../../schedule/own-uids.ts'
import { findOwnUids } from './queries.ts'

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
