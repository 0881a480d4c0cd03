import { deleteFreedStillBusy } from '../../booking/waitlist/statements.ts'
import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { isMarked } from '../../engine/schedule/own-uids.ts'
import { packBusyTimes } from '../../engine/schedule/taken/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { CalendarChanges, ExternalEvent } from '../client/calendar-client.ts'
import {
  type BlockingEvent,
  deleteEvents,
  insertEvents,
  type Kept,
  listEventIds,
  replaceBusyTimes,
} from './queries.ts'

/** A query for a range looks back this far for what may reach into it. */
const MAX_PIECE_MS = 7 * DAY_MS
/** The limit of one statement, in characters of up to three octets: D1 takes 2 MB. */
const MOST_TOLD = 400_000
/** Of a piece, and of what stands around those of an event. */
const PIECE_TOLD = 30

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
    ...together(gone, (id) => id.length + PIECE_TOLD).flatMap((ids) => deleteEvents(db, connection.id, ids)),
    ...together(changed.map(blockingEvent), lengthOf).flatMap((events) => [
      insertEvents(db, connection.id, events),
      ...replaceBusyTimes(db, connection, events),
    ]),
    deleteFreedStillBusy(db, connection.id),
    packBusyTimes(db, connection.id),
  ]
}

/** Whether there is anything to keep. */
export function isNews({ changed, gone, isComplete }: CalendarChanges): boolean {
  return isComplete || changed.length + gone.length > 0
}

/** An event that the calendar shows as free blocks only if it is ours. */
function blockingEvent(event: ExternalEvent) {
  const { uid, busy, time } = event
  const isFree = busy.length === 0 && time !== null && isMarked(uid)
  const pieces: BlockingEvent['pieces'] = isFree
    ? inPieces(time).map(([start, end]) => [start, end, 1] as const)
    : busy.flatMap(inPieces)
  return { ...event, pieces }
}

function lengthOf({ id, uid, etag, pieces }: ReturnType<typeof blockingEvent>): number {
  return id.length + uid.length + (etag?.length ?? 0) + PIECE_TOLD * (pieces.length + 1)
}

/** In pieces that are no longer than what a query for a range looks back. */
export function inPieces({ start, end }: Interval): [start: number, end: number][] {
  const pieces: [number, number][] = []
  for (let from = start; from < end; from += MAX_PIECE_MS) {
    pieces.push([from, Math.min(from + MAX_PIECE_MS, end)])
  }
  return pieces
}

/** In groups that a statement each can be told. */
function together<T>(all: readonly T[], lengthOf: (one: T) => number): T[][] {
  const groups: T[][] = []
  let room = 0
  for (const one of all) {
    room -= lengthOf(one)
    if (room < 0) {
      groups.push([])
      room = MOST_TOLD - lengthOf(one)
    }
    groups.at(-1)!.push(one)
  }
  return groups
}
