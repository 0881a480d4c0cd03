import { CANCEL_BOOKING } from '../../booking/bookings/commands.ts'
import { DELETED_IN_CALENDAR } from '../../booking/bookings/deleted-in-calendar.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import { commitBatch } from '../../platform/db/client.ts'
import type { Attempt } from './attempt.ts'
import { blockElsewhere } from './block-elsewhere.ts'
import type { Written } from './describe-event.ts'
import { clearSuspicion, endWrite, NOTHING_THERE } from './queries.ts'

/** Owners change their minds, and some programs move an event by deleting it before they write it elsewhere. */
const PATIENCE_MS = 10 * MINUTE_MS

/**
 * The event is in no calendar of the account. The first time only the next check is planned; if that finds nothing, the booking
 * is cancelled.
 */
export async function awaitReturn(attempt: Attempt, written: readonly Written[]): Promise<void> {
  const { db, write, now } = attempt
  if (write.cancelAt !== null && write.cancelAt <= now) return cancelForOwner(attempt, written)
  const cancelAt = write.cancelAt ?? now + PATIENCE_MS
  const suspectedAt = write.suspectedAt ?? now
  const waiting = { cancelAt, nextAttemptAt: cancelAt, suspectedAt, attempts: 0, lastError: null }
  await commitBatch(db, [endWrite(db, write, { ...waiting, status: 'pending' }, now)])
}

/**
 * The owner of the calendar deleted the event, so its bookings are cancelled, as anybody else would cancel them:
 * with all that follows. A meeting that is over stays as it was; its owner only tidied up.
 */
async function cancelForOwner(attempt: Attempt, written: readonly Written[]): Promise<void> {
  const { env, db, write, now } = attempt
  for (const { booking } of written) {
    if (booking.endTime <= now) continue
    const { id: bookingId, eventTypeId } = booking
    const command = { origin: SYSTEM, claim: null, now, eventTypeId, bookingId, reason: DELETED_IN_CALENDAR }
    answerOf(await askEventType(env, eventTypeId, CANCEL_BOOKING, command))
  }
  await commitBatch(db, [
    endWrite(db, write, { ...NOTHING_THERE, status: 'removed', attempts: 0, lastError: null }, now),
    clearSuspicion(db, write),
    ...(write.isMoved ? blockElsewhere(attempt, null) : []),
  ])
}
