import type { Db, Statement } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import type { CalendarChanges, ExternalEvent } from '../../../providers/calendar/calendar-client.ts'
import { tellQueue } from '../../../queue/messages.ts'
import { isMarked } from '../../../schedule/own-uids.ts'
import type { Interval } from '../../../scheduling/interval.ts'
import { type ConnectionRow, complain, listOwnEvents, suspect, type WriteRow } from './queries.ts'

export type Followed = {
  /** For the end of the batch that stores the sync's changes: a stored change is reported only once. */
  readonly statements: readonly Statement[]
  /** After the commit. It never fails. */
  readonly announce: () => Promise<void>
}

/**
 * Marks what its owner seems to have done to our events as suspicions. A listing may be incomplete or older
 * than what was written since, so it proves nothing: each event is asked for by itself, in the turn of its
 * writes and with their retries.
 */
export async function followOwner(
  env: Env,
  db: Db,
  { id, isTest }: Pick<ConnectionRow, 'id' | 'isTest'>,
  { changed, gone, isComplete }: CalendarChanges,
  window: Interval,
): Promise<Followed> {
  const now = Date.now()
  const byUid = new Map(changed.map((event) => [event.uid, event]))
  const named = { ids: gone, uids: [...byUid.keys()].filter(isMarked) }
  // Nothing of a sandbox is in any calendar.
  const isNews = !isTest && (isComplete || gone.length + named.uids.length > 0)
  const own = isNews ? await listOwnEvents(db, id, named, isComplete ? window : null) : []
  const suspected = own.filter((write) => isSuspect(write, byUid.get(write.uid)))
  const holderIds = suspected.map(({ holderId }) => holderId)
  return {
    statements: [...(holderIds.length === 0 ? [] : [suspect(db, id, holderIds, now)]), complain(db, id, now)],
    announce: () =>
      tellQueue(
        env,
        ...holderIds.map((holderId) => ({ type: 'calendar-write', holderId, connectionId: id }) as const),
      ),
  }
}

/** An event that is listed neither as changed nor as present is gone. */
function isSuspect(write: WriteRow, event: ExternalEvent | undefined): boolean {
  if (!event || event.time === null) return true
  const { start, end } = event.time
  return write.isMoved || start !== write.writtenStart || end !== write.writtenEnd
}
