import { CANCEL_BOOKING } from '../../booking/bookings/commands.ts'
import { DELETED_IN_CALENDAR } from '../../booking/bookings/deleted-in-calendar.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import { commitBatch } from '../../platform/db/client.ts'
import type { Attempt } from './attempt.ts'
import type { Written } from './describe-event.ts'
import { clearSuspicion, endWrite, NOTHING_THERE } from './queries.ts'

/**
 * The owner of the calendar deleted the event, so its bookings are cancelled, as anybody else would cancel them:
 * with all that follows. A meeting that is over stays as it was; its owner only tidied up.
 */
export async function cancelForOwner(
  { env, db, write, now }: Attempt,
  written: readonly Written[],
): Promise<void> {
  for (const { booking } of written) {
    if (booking.endTime <= now) continue
    const { id: bookingId, eventTypeId } = booking
    const command = { origin: SYSTEM, claim: null, now, eventTypeId, bookingId, reason: DELETED_IN_CALENDAR }
    answerOf(await askEventType(env, eventTypeId, CANCEL_BOOKING, command))
  }
  await commitBatch(db, [
    endWrite(db, write, { ...NOTHING_THERE, status: 'removed', attempts: 0, lastError: null }, now),
    clearSuspicion(db, write),
  ])
}
