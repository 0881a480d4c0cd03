import type { Db, Statement } from '../../db/client.ts'
import type { BookingRow } from '../../db/schema/bookings.ts'
import type { Message } from '../../queue/messages.ts'
import type { Verb } from '../../turn/verb.ts'
import { recordActivity } from '../activity/statements.ts'
import { recordEvent } from '../events/statements.ts'
import type { ConfirmBooking, Confirmed } from '../payments/commands.ts'
import { isOpenPayment, paidStatements } from '../payments/paid-payment.ts'
import { refundWhole } from '../payments/refunds/refund-whole.ts'
import { selectPayment } from '../payments/statements.ts'
import { selectWait } from '../waits/statements.ts'
import { presentBooking } from './present.ts'
import { selectBooking, selectReminderIntervals } from './queries.ts'
import { planReminders } from './reminders/plan-reminders.ts'
import { updateBookingAsRead } from './statements.ts'

type Asked = readonly [
  ReturnType<typeof selectBooking>,
  ReturnType<typeof selectPayment>,
  ReturnType<typeof selectReminderIntervals>,
  ReturnType<typeof selectWait>,
]

/**
 * The payment was made. Confirms the booking that waits for it, once; for one that was given up meanwhile, the money
 * is refunded, because its time may belong to somebody else. One that lost its time already is to be given up before.
 */
export function confirmBooking(command: ConfirmBooking): Verb<Asked, Confirmed> {
  const { eventTypeId, bookingId, paymentId, now } = command
  return {
    eventTypeId,
    claim: null,
    now,
    asks: ({ db }) =>
      [
        selectBooking(db, bookingId),
        selectPayment(db, paymentId),
        selectReminderIntervals(db, eventTypeId),
        selectWait(db, bookingId),
      ] as const,
    decide: async ({ env, db }, { rows }) => {
      const [[read], [payment], [eventType], [wait]] = rows!
      if (!read || !payment || !isOpenPayment(payment)) return { unchanged: null }
      if (read.status === 'pending_payment' && wait?.status === 'expired') return { unchanged: 'too-late' }
      const paid = paidStatements(db, payment, command)
      const { statements, messages } =
        read.status === 'pending_payment'
          ? confirmation(db, read, eventType?.reminderIntervals ?? [], command)
          : await refundWhole(env, db, payment, now)
      return {
        status: 200,
        body: null,
        statements: [...paid, ...statements],
        messages,
        apply: (known) => known,
      }
    },
  }
}

function confirmation(
  db: Db,
  read: BookingRow,
  reminderIntervals: readonly number[],
  { origin, now }: ConfirmBooking,
): { statements: Statement[]; messages: Message[] } {
  const reminders = planReminders(reminderIntervals, read.startTime, now)
  const changes = { status: 'confirmed' as const, ...reminders, updatedAt: now }
  const payment = read.payment && { ...read.payment, status: 'succeeded' as const }
  const after: BookingRow = { ...read, ...changes, payment }
  const data = presentBooking(after)
  const event = recordEvent(db, after, { kind: 'booking.confirmed', data, revision: read.revision + 1 })
  const statements = [
    ...updateBookingAsRead(db, read, changes),
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
