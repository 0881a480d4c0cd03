import { commitBatch, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import { keepStatements, STILL_RUNNING, selectKept } from '../../http/idempotency.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { recordEvent } from '../events/record-event.ts'
import { dropReminders } from '../reminders/plan-reminders.ts'
import { interestQueries, passOnTime } from '../waitlist/free-time.ts'
import { type CancelBooking, type Outcome, refused } from './commands.ts'
import { keepUnchanged, keptOutcome } from './kept-outcome.ts'
import { presentBooking } from './present.ts'
import { type BookingRow, releaseHold, selectBooking, selectHold, updateBookingAsRead } from './store.ts'
import type { Workplace } from './workplace.ts'

/** Runs in the event type's object. Cancelling again succeeds and changes nothing. */
export async function cancelBooking(workplace: Workplace, command: CancelBooking): Promise<Outcome> {
  const { env, memory, announce } = workplace
  const { eventTypeId, bookingId, reason, claim, now } = command
  const db = openDb(env, 'decide')
  const [[read], keptRows, [held], ...interest] = await db.batch([
    selectBooking(db, bookingId),
    selectKept(db, claim),
    selectHold(db, bookingId),
    ...interestQueries(db, eventTypeId, bookingId),
  ])
  const kept = await keptOutcome(env, claim, keptRows)
  if (kept) return kept
  if (!read) return refused({ code: 'not_found', message: 'No such booking.' })
  if (read.status === 'cancelled') return keepUnchanged(env, claim, presentBooking(read))

  const changes = { status: 'cancelled' as const, cancelledAt: now, cancelReason: reason, updatedAt: now }
  const after: BookingRow = { ...read, ...changes }
  const booking = presentBooking(after)
  const revision = read.revision + 1
  const event = recordEvent(db, after, { kind: 'booking.cancelled', data: booking, revision })
  try {
    await commitBatch(db, [
      ...(await keepStatements(env, db, claim, { status: 200, body: booking })),
      ...updateBookingAsRead(db, read, changes),
      ...(read.sessionId === null ? [releaseHold(db, bookingId)] : []),
      ...dropReminders(db, bookingId),
      recordActivity(db, after, command.origin, {
        action: 'booking.cancelled',
        resourceType: 'booking',
        resourceId: bookingId,
        changes: { status: [read.status, 'cancelled'], reason },
      }),
      ...event.statements,
    ])
    announce({ type: 'event', eventId: event.id })
    if (held) await passOnTime(workplace, interest, read, held, now)
    return { kind: 'done', body: booking }
  } catch (error) {
    if (fenceOf(error) === 'KEY_IN_USE') return refused(STILL_RUNNING)
    throw error
  } finally {
    memory.forget()
  }
}
