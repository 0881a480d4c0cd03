import { deleteFreedStillBusy } from '../../booking/waitlist/statements.ts'
import type { Interval } from '../../core/interval.ts'
import { packBusyTimes } from '../../engine/schedule/taken/statements.ts'
import type { Statement } from '../../platform/db/client.ts'
import { elsewhereId } from '../sync/elsewhere-id.ts'
import { inPieces } from '../sync/keep-changes.ts'
import { noteNewTimes, replaceBusyTimes } from '../sync/queries.ts'
import type { Attempt } from './attempt.ts'

/**
 * Its owner may have moved an event of ours into a calendar that nobody connected: no sync reads it, so what it blocks there has
 * an id that no listing names. `time` is null where it blocks nothing there any more; `synced` is the event as its own calendar's
 * sync should know it.
 */
export function blockElsewhere(
  { db, write: { uid }, connection }: Pick<Attempt, 'db' | 'write' | 'connection'>,
  time: Interval | null,
  synced?: Interval & { readonly id: string },
): Statement[] {
  const elsewhere = { id: elsewhereId(uid), uid, pieces: time ? inPieces(time) : [] }
  const here = synced ? [{ id: synced.id, uid, pieces: inPieces(synced) }] : []
  return [
    ...replaceBusyTimes(db, connection, [elsewhere, ...here]),
    deleteFreedStillBusy(db, connection.id),
    packBusyTimes(db, connection.id),
    noteNewTimes(db, connection.id),
  ]
}
