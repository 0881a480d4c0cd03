import { commitBatch, openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { ExternalEvent } from '../../providers/calendar/calendar-client.ts'
import { tellQueue } from '../../queue/messages.ts'
import { type ConnectionRow, listOwnEvents, selectMoved, suspect, type WriteRow } from './store.ts'

export type OwnerChanges = {
  readonly changed: readonly ExternalEvent[]
  /** Ids of events that are there no more, as the calendar says or as a whole listing shows. */
  readonly gone: readonly string[]
}

/**
 * After each sync: has somebody look into what its owner seems to have done to our events. A listing may be half
 * an answer or older than what was written since, so it convicts nobody; the event is asked for by itself, with
 * the retries of every write. Answers what the owner is to know of the calendar; null when there is nothing.
 */
export async function followOwner(
  env: Env,
  { id }: Pick<ConnectionRow, 'id'>,
  { changed, gone }: OwnerChanges,
): Promise<string | null> {
  const db = openDb(env, 'decide')
  const now = Date.now()
  const byUid = new Map(changed.map((event) => [event.uid, event]))
  const own = changed.length + gone.length > 0 ? await listOwnEvents(db, id, gone, [...byUid.keys()]) : []
  const missing = new Set(gone)
  const suspected = own.filter((write) => isSuspect(write, byUid.get(write.uid), missing))
  for (let at = 0; at < suspected.length; at += 50) {
    await commitBatch(
      db,
      suspected.slice(at, at + 50).map((write) => suspect(db, write, now)),
    )
  }
  await tellQueue(env, ...suspected.map(messageOf))

  const moved = await selectMoved(db, id, now)
  if (moved.length === 0) return null
  const [first] = moved
  return moved.length === 1 ? first!.syncError : `${moved.length} bookings differ: ${first!.syncError}`
}

function isSuspect(
  { eventId, writtenStart, writtenEnd, isMoved }: WriteRow,
  event: ExternalEvent | undefined,
  missing: ReadonlySet<string>,
): boolean {
  if (!event || event.time === null) return event !== undefined || missing.has(eventId!)
  const isElsewhere = event.time.start !== writtenStart || event.time.end !== writtenEnd
  return isElsewhere || isMoved
}

function messageOf({ holderId, connectionId }: WriteRow) {
  return { type: 'calendar-write', holderId, connectionId } as const
}
