import { commitBatch } from '../../../db/client.ts'
import { formatInstant } from '../../../http/instants.ts'
import type { ExternalEvent } from '../../../providers/calendar/calendar-client.ts'
import { cancelForOwner } from './cancel-for-owner.ts'
import type { Written } from './describe-event.ts'
import { findElsewhere } from './find-elsewhere.ts'
import { clearSuspicion, endWrite, setComplaint, showInBookings } from './queries.ts'
import type { Attempt } from './write-to-calendar.ts'

/**
 * Checks a suspicion about an event. Returns whether nothing is left to do then: a deleted event cancels, a moved
 * one is reported; where the bookings changed meanwhile, their event is still written.
 */
export async function followSuspicion(
  attempt: Attempt,
  written: readonly [Written, ...Written[]],
): Promise<boolean> {
  const { client, write } = attempt
  if (write.eventId === null || write.writtenStart === null) return false
  const found = await client.findEvent(write.eventId)
  const there = found && found.time !== null ? found : await findElsewhere(client, write)
  if (there === null) {
    await cancelForOwner(attempt, written)
    return true
  }
  if (write.wantedRevision !== write.writtenRevision) return false
  await judgeTime(attempt, written, there)
  return true
}

async function judgeTime(
  { db, write, connection, now }: Attempt,
  written: readonly Written[],
  { id: eventId, time }: ExternalEvent,
): Promise<void> {
  const isMoved = time?.start !== write.writtenStart || time?.end !== write.writtenEnd
  const ids = written.map(({ booking }) => booking.id)
  const syncError = isMoved ? movedTo(time!.start, write.writtenStart!) : null
  await commitBatch(db, [
    endWrite(db, write, { status: 'written', eventId, isMoved, attempts: 0, lastError: null }, now),
    clearSuspicion(db, write),
    ...(isMoved || write.isMoved ? [showInBookings(db, write, ids, { syncError })] : []),
    ...(isMoved || write.isMoved ? [setComplaint(db, connection.id, syncError)] : []),
  ])
}

function movedTo(there: number, here: number): string {
  return `Moved in the calendar to ${formatInstant(there)}; the booking stays at ${formatInstant(here)}. Reschedule it, or move the event back.`
}
