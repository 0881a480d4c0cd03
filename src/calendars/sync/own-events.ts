import type { Interval } from '../../core/interval.ts'
import { isMarked } from '../../engine/schedule/own-uids.ts'
import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { findOwn } from './queries.ts'

type Event = { readonly uid: string; readonly busy: readonly Interval[] }

/**
 * Those of the events that belong to bookings of the organization, by UID, and whether they stand elsewhere. Other people
 * have events of this service in their calendars too: an invitation by another organization makes its guest busy.
 */
export async function findOwnEvents(
  env: Env,
  organizationId: string,
  events: readonly Event[],
): Promise<ReadonlyMap<string, { readonly isElsewhere: boolean }>> {
  const marked = events.filter(({ uid }) => isMarked(uid))
  if (marked.length === 0) return new Map()
  const own = await findOwn(openDb(env, 'decide'), organizationId, marked)
  return new Map(own.map(({ uid, isElsewhere }) => [uid, { isElsewhere: isElsewhere === 1 }]))
}
