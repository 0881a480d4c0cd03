import { NOTE_DRAG } from '../../booking/bookings/commands.ts'
import type { Interval } from '../../core/interval.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { commitBatch } from '../../platform/db/client.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { Attempt } from './attempt.ts'
import { awaitReturn } from './await-return.ts'
import { blockElsewhere } from './block-elsewhere.ts'
import type { Written } from './describe-event.ts'
import { type Found, findInAccount } from './find-in-account.ts'
import { followDrag } from './follow-drag.ts'
import { clearSuspicion, complainAgain, endWrite, showInBookings } from './queries.ts'

/**
 * Checks a suspicion about an event: a missing one is cancelled later, one in another calendar is followed, a moved one is
 * reported. Returns the attempt if the bookings changed since then and must still be written, else null.
 */
export async function followSuspicion(
  attempt: Attempt,
  written: readonly [Written, ...Written[]],
): Promise<Attempt | null> {
  const { write } = attempt
  if (write.eventId === null || write.writtenStart === null) return attempt
  const found = await findInAccount(attempt)
  if (!found) {
    await awaitReturn(attempt, written)
    return null
  }
  if (write.wantedRevision !== write.writtenRevision) return found.attempt
  await judgeTime(attempt, written, found)
  return null
}

async function judgeTime(
  began: Attempt,
  written: readonly [Written, ...Written[]],
  { event: { id: eventId, etag, time }, attempt }: Found,
): Promise<void> {
  const { env, db, write, connection, now } = began
  const { calendarId } = attempt.write
  const isMoved = time?.start !== write.writtenStart || time?.end !== write.writtenEnd
  const isAway = isMoved && calendarId !== null
  const ids = written.map(({ booking }) => booking.id)
  const syncError = isMoved ? differing(time!, { start: write.writtenStart!, end: write.writtenEnd! }) : null
  if (isMoved || write.isMoved) {
    const [{ booking }] = written
    const stands = isMoved ? { startTime: time!.start, endTime: time!.end } : null
    const drag = { holderId: write.holderId, start: write.writtenStart!, stands, syncError, now }
    const { eventTypeId } = booking
    const isFollowed = stands !== null && (await followDrag(began, written, stands))
    if (!isFollowed) answerOf(await askEventType(env, eventTypeId, NOTE_DRAG, { eventTypeId, ...drag }))
  }
  const place = { eventId, etag, calendarId, cancelAt: null }
  await commitBatch(db, [
    endWrite(db, write, { ...place, status: 'written', isMoved, attempts: 0, lastError: null }, now),
    clearSuspicion(db, write),
    ...(isAway || (write.isMoved && write.calendarId !== null)
      ? blockElsewhere(began, isAway ? time : null)
      : []),
    ...(eventId === write.eventId ? [] : [showInBookings(db, write, ids, { calendarEventId: eventId })]),
    ...(isMoved || write.isMoved ? [complainAgain(db, connection.id, now)] : []),
  ])
}

function differing(there: Interval, here: Interval): string {
  if (there.start !== here.start)
    return `Moved in the calendar to ${formatInstant(there.start)}; the booking stays at ${formatInstant(here.start)}. Reschedule it, or move the event back.`
  return `Ends in the calendar at ${formatInstant(there.end)}; the booking ends at ${formatInstant(here.end)}. Let the event end then again.`
}
