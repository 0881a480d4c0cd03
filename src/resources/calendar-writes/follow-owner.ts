import type { Db, Statement } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { CalendarChanges, ExternalEvent } from '../../providers/calendar/calendar-client.ts'
import { tellQueue } from '../../queue/messages.ts'
import type { Interval } from '../../scheduling/interval.ts'
import { type ConnectionRow, listOwnEvents, selectMoved, suspect, type WriteRow } from './store.ts'

export type Followed = {
  /** For the batch that keeps what the sync told: a change that is kept there is told only once. */
  readonly statements: readonly Statement[]
  /** After the commit. It never fails. */
  readonly announce: () => Promise<void>
  /** What the owner is to know of a calendar that is connected; null when there is nothing. */
  readonly complaint: string | null
}

/**
 * Has somebody look into what its owner seems to have done to our events. A listing may be half an answer or older
 * than what was written since, so it convicts nobody: each event is asked for by itself, in the turn of its
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
  // Nothing of the sandbox is in any calendar.
  const isNews = !isTest && (isComplete || changed.length + gone.length > 0)
  const named = { ids: gone, uids: [...byUid.keys()] }
  const own = isNews ? await listOwnEvents(db, id, named, isComplete ? window : null) : []
  const suspected = own.filter((write) => isSuspect(write, byUid.get(write.uid)))
  const holderIds = suspected.map(({ holderId }) => holderId)
  return {
    statements: suspected.length === 0 ? [] : [suspect(db, id, holderIds, now)],
    announce: () =>
      tellQueue(
        env,
        ...holderIds.map((holderId) => ({ type: 'calendar-write', holderId, connectionId: id }) as const),
      ),
    complaint: complaintOf(await selectMoved(db, id, now)),
  }
}

/** Whoever is listed neither as changed nor as there is gone. */
function isSuspect(write: WriteRow, event: ExternalEvent | undefined): boolean {
  if (!event || event.time === null) return true
  const { start, end } = event.time
  return write.isMoved || start !== write.writtenStart || end !== write.writtenEnd
}

function complaintOf(moved: Awaited<ReturnType<typeof selectMoved>>): string | null {
  const [first] = moved
  if (!first) return null
  return moved.length === 1
    ? first.syncError
    : `${moved.length} bookings differ, the first: ${first.syncError}`
}
