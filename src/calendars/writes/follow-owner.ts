import type { Interval } from '../../core/interval.ts'
import { isMarked } from '../../engine/schedule/own-uids.ts'
import type { Env } from '../../env.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import type { CalendarChanges, ExternalEvent } from '../client/calendar-client.ts'
import { complain, listOwnEvents, type OwnEvent, suspect } from './queries.ts'

type Followed = {
  /** For the end of the batch that stores the sync's changes: a stored change is reported only once. */
  readonly statements: readonly Statement[]
  /** After the commit. It never fails. */
  readonly announce: () => Promise<void>
}

/**
 * Marks what the owner seems to have done to our events as suspicions. A listing may be incomplete or outdated, so the write of
 * each event checks it later.
 */
export async function followOwner(
  env: Env,
  db: Db,
  connection: Pick<ConnectionRow, 'id' | 'isTest' | 'accountId' | 'calendarId'>,
  { changed, gone, isComplete }: CalendarChanges,
  window: Interval,
): Promise<Followed> {
  const now = Date.now()
  const { id, isTest } = connection
  const byUid = new Map(changed.map((event) => [event.uid, event]))
  const named = { ids: gone, uids: [...byUid.keys()].filter(isMarked) }
  // Nothing of a sandbox is in any calendar.
  const isNews = !isTest && (isComplete || gone.length + named.uids.length > 0)
  const own = isNews ? await listOwnEvents(db, connection, named, isComplete ? window : null) : []
  const suspected = own.filter((write) => isSuspect(write, byUid.get(write.uid), connection))
  return {
    statements: [...(suspected.length === 0 ? [] : [suspect(db, suspected, now)]), complain(db, id, now)],
    announce: () =>
      wakeQueue(
        env,
        ...suspected.map(
          ({ holderId, connectionId }) => ({ type: 'calendar-write', holderId, connectionId }) as const,
        ),
      ),
  }
}

/**
 * An event that is not listed at all is gone. If it was moved to another calendar that is not synced, it is checked whenever
 * there is a reason.
 */
function isSuspect(
  write: OwnEvent,
  event: ExternalEvent | undefined,
  { calendarId }: Pick<ConnectionRow, 'calendarId'>,
): boolean {
  const isAway = write.calendarId !== null && write.calendarId !== calendarId
  if (!event || event.time === null) return !isAway || !write.isWatchedElsewhere
  if (isAway) return true
  const { start, end } = event.time
  // Known by another id than it was written under, it would be looked for under one that is over.
  const isRenamed = write.eventId !== event.id
  return isRenamed || write.isMoved || start !== write.writtenStart || end !== write.writtenEnd
}
