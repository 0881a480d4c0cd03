import { commitBatch, type Db, openDb, type Statement } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { BookingRow } from '../../db/schema/bookings.ts'
import type { Message } from '../../queue/messages.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { recordActivity } from '../activity/statements.ts'
import { recordEvent } from '../events/statements.ts'
import type { ConfirmBooking } from '../payments/commands.ts'
import { isOpenPayment, paidStatements, selectPaymentToConfirm } from '../payments/paid-payment.ts'
import { refundWhole } from '../payments/refunds/refund-whole.ts'
import { presentBooking } from './present.ts'
import { selectBooking, selectReminderIntervals, updateBookingAsRead } from './queries.ts'
import { planReminders } from './reminders/plan-reminders.ts'

const MAX_ATTEMPTS = 5

/**
 * Runs in the event type's object: the payment was made. It confirms the booking that waits for it, once; for one
 * that was given up meanwhile the money goes back, for its time may be somebody else's.
 */
export async function confirmBooking({ env, announce }: Workplace, command: ConfirmBooking): Promise<void> {
  const db = openDb(env, 'decide')
  for (let attempt = 1; ; attempt++) {
    const [[read], [payment], [eventType]] = await db.batch([
      selectBooking(db, command.bookingId),
      selectPaymentToConfirm(db, command.paymentId),
      selectReminderIntervals(db, command.eventTypeId),
    ])
    if (!read || !payment || !isOpenPayment(payment)) return
    const paid = paidStatements(db, payment, command)
    const { statements, messages } =
      read.status === 'pending_payment'
        ? confirmation(db, read, eventType?.reminderIntervals ?? [], command)
        : await refundWhole(env, db, payment, command.now)
    try {
      await commitBatch(db, [...paid, ...statements])
      for (const message of messages) announce(message)
      return
    } catch (error) {
      if (fenceOf(error) !== 'STALE' || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

function confirmation(
  db: Db,
  read: BookingRow,
  reminderIntervals: readonly number[],
  { origin, now }: ConfirmBooking,
): { statements: Statement[]; messages: Message[] } {
  const changes = { status: 'confirmed' as const, updatedAt: now }
  const payment = read.payment && { ...read.payment, status: 'succeeded' as const }
  const after: BookingRow = { ...read, ...changes, payment }
  const data = presentBooking(after)
  const event = recordEvent(db, after, { kind: 'booking.confirmed', data, revision: read.revision + 1 })
  const statements = [
    ...updateBookingAsRead(db, read, changes),
    ...planReminders(db, after, reminderIntervals, now),
    recordActivity(db, after, origin, {
      action: 'booking.confirmed',
      resourceType: 'booking',
      resourceId: after.id,
      changes: { status: [read.status, after.status] },
    }),
    ...event.statements,
  ]
  return { statements, messages: [{ type: 'event', eventId: event.id }] }
}
