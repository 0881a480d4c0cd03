import type { Db, Statement } from '../../../db/client.ts'
import type { CalendarChanges, ExternalEvent } from '../../../providers/calendar/calendar-client.ts'
import type { Interval } from '../../../scheduling/interval.ts'
import { DAY_MS } from '../../../scheduling/time-units.ts'
import { deleteFreedStillBusy } from '../../waitlist/statements.ts'
import { deleteEvents, insertEvents, type Kept, listEventIds, replaceBusyTimes } from './queries.ts'

/** A query for a range looks back this far for what may reach into it. */
const MAX_PIECE_MS = 7 * DAY_MS
/** How many events go into one statement. */
const TOGETHER = 500

/**
 * The changes of a calendar, for the batch that stores all or none: only what differs from what is known is written.
 * Time that they free is noted for those who wait.
 */
export async function keepChanges(db: Db, connection: Kept, changes: CalendarChanges): Promise<Statement[]> {
  if (!isNews(changes)) return []
  const { changed, isComplete } = changes
  const present = new Set(changed.map(({ id }) => id))
  const known = isComplete ? await listEventIds(db, connection.id) : changes.gone
  const gone = known.filter((id) => !present.has(id))
  return [
    ...inPieces(gone).flatMap((piece) => deleteEvents(db, connection.id, piece)),
    ...inPieces(changed).flatMap((piece) => [
      insertEvents(db, connection.id, piece),
      ...replaceBusyTimes(
        db,
        connection,
        piece.map(({ id }) => id),
        piece.flatMap(busyPieces),
      ),
    ]),
    deleteFreedStillBusy(db, connection.id),
  ]
}

/** Whether there is anything to keep. */
export function isNews({ changed, gone, isComplete }: CalendarChanges): boolean {
  return isComplete || changed.length + gone.length > 0
}

function busyPieces({ id, uid, busy }: ExternalEvent) {
  return busy.flatMap(cut).map(({ start, end }) => ({ id, uid, start, end }))
}

function cut({ start, end }: Interval): Interval[] {
  const pieces: Interval[] = []
  for (let from = start; from < end; from += MAX_PIECE_MS) {
    pieces.push({ start: from, end: Math.min(from + MAX_PIECE_MS, end) })
  }
  return pieces
}

function inPieces<T>(all: readonly T[]): T[][] {
  const pieces: T[][] = []
  for (let at = 0; at < all.length; at += TOGETHER) pieces.push(all.slice(at, at + TOGETHER))
  return pieces
}
