import { commitBatch, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Env } from '../../env.ts'
import { keepStatements, openKept, STILL_RUNNING, selectKept } from '../../http/idempotency.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { recordEvent } from '../events/record-event.ts'
import { type CancelBooking, type Outcome, refused } from './commands.ts'
import { presentBooking } from './present.ts'
import type { ScheduleMemory } from './schedule-memory.ts'
import { type BookingRow, releaseHold, selectBooking, updateBookingAsRead } from './store.ts'

/** Runs in the event type's object. Cancelling again succeeds and changes nothing. */
export async function cancelBooking(
  env: Env,
  memory: ScheduleMemory,
  command: CancelBooking,
): Promise<Outcome> {
  const { bookingId, reason, claim, now } = command
  const db = openDb(env, 'decide')
  const [[read], keptRows] = await db.batch([selectBooking(db, bookingId), selectKept(db, claim)])
  const kept = claim && (await openKept(env, claim, keptRows))
  if (kept) {
    return 'refusal' in kept ? refused(kept.refusal) : { kind: 'replayed', answer: kept.replay }
  }
  if (!read) return refused({ code: 'not_found', message: 'No such booking.' })
  if (read.status === 'cancelled') return { kind: 'done', body: presentBooking(read) }

  const changes = { status: 'cancelled' as const, cancelledAt: now, cancelReason: reason, updatedAt: now }
  const after: BookingRow = { ...read, ...changes }
  const booking = presentBooking(after)
  try {
    await commitBatch(db, [
      ...(await keepStatements(env, db, claim, { status: 200, body: booking })),
      ...updateBookingAsRead(db, read, changes),
      releaseHold(db, bookingId),
      recordActivity(db, after, command.origin, {
        action: 'booking.cancelled',
        resourceType: 'booking',
        resourceId: bookingId,
        changes: { status: [read.status, 'cancelled'], reason },
      }),
      ...recordEvent(db, after, { kind: 'booking.cancelled', data: booking }),
    ])
    return { kind: 'done', body: booking }
  } catch (error) {
    if (fenceOf(error) === 'KEY_IN_USE') return refused(STILL_RUNNING)
    throw error
  } finally {
    memory.forget()
  }
}
