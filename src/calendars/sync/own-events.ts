import { isMarked } from '../../engine/schedule/own-uids.ts'
import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { findOwnUids } from './queries.ts'

/**
 * Returns which of the UIDs belong to bookings of the organization. Other people have events of this service
 * in their calendars too: an invitation by another organization makes its guest busy.
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
