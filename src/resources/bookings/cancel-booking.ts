import { commitBatch, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { BookingRow } from '../../db/schema/bookings.ts'
import { keepStatements, STILL_RUNNING, selectKept } from '../../http/idempotency.ts'
import { withoutBooking } from '../../schedule/apply-booking.ts'
import { monthOf, type Schedule } from '../../schedule/schedule.ts'
import { keptOutcome } from '../../turn/kept-outcome.ts'
import { type Outcome, refused, unchanged } from '../../turn/outcome.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { recordActivity } from '../activity/statements.ts'
import { recordEvent } from '../events/statements.ts'
import type { GiveUpUnpaid } from '../payments/commands.ts'
import { giveUpPayment } from '../payments/give-up-payment.ts'
import { isRegretted } from '../public-limits/regret.ts'
import { chooseSuccessors, interestQueries, passOnTime, SUCCESSION_LATER } from '../waitlist/free-time.ts'
import type { CancelBooking } from './commands.ts'
import { uncountInQuota } from './limits-queries.ts'
import { presentBooking } from './present.ts'
import { releaseHold, selectBooking, selectHold, updateBookingAsRead } from './queries.ts'
import { dropReminders } from './reminders/plan-reminders.ts'
import type { Booking } from './schema.ts'

const MAX_ATTEMPTS = 4

/** Runs in the event type's object. Cancelling again succeeds and changes nothing. */
export function cancelBooking(workplace: Workplace, command: CancelBooking): Promise<Outcome<Booking>> {
  return cancel(workplace, command, false)
}

/** Leaves a booking alone that was paid in between. */
export async function giveUpUnpaid(workplace: Workplace, command: GiveUpUnpaid): Promise<void> {
  await cancel(workplace, { ...command, claim: null }, true)
}

async function cancel(
  workplace: Workplace,
  command: CancelBooking,
  isOnlyIfUnpaid: boolean,
): Promise<Outcome<Booking>> {
  const { env, memory, announce } = workplace
  const { eventTypeId, bookingId, reason, claim, now } = command
  const db = openDb(env, 'decide')
  const [[read], keptRows, [held], ...interest] = await db.batch([
    selectBooking(db, bookingId),
    selectKept(db, claim),
    selectHold(db, bookingId),
    ...interestQueries(db, eventTypeId, bookingId),
  ])
  const kept = await keptOutcome(env, claim, keptRows, () => read && presentBooking(read))
  if (kept) return kept
  if (!read) return refused({ code: 'not_found', message: 'No such booking.' })
  if (read.status === 'cancelled') return unchanged(presentBooking(read))

  const unpaid = read.status === 'pending_payment' ? read.payment : null
  if (isOnlyIfUnpaid && !unpaid) return { kind: 'done', body: presentBooking(read) }

  const givesBack = unpaid !== null || isRegretted(read, command.origin, now)
  const changes = { status: 'cancelled' as const, cancelledAt: now, cancelReason: reason, updatedAt: now }
  const payment = unpaid ? { ...unpaid, status: 'cancelled' as const } : read.payment
  const after: BookingRow = { ...read, ...changes, payment }
  const booking = presentBooking(after)
  const revision = read.revision + 1
  try {
    for (let attempt = 1; ; attempt++) {
      const free = (schedule: Schedule) => withoutBooking(schedule, read, givesBack)
      const succession =
        held && attempt < MAX_ATTEMPTS
          ? await chooseSuccessors(db, interest, read, held, free, now)
          : SUCCESSION_LATER
      const event = recordEvent(db, after, { kind: 'booking.cancelled', data: booking, revision })
      try {
        await commitBatch(db, [
          ...(await keepStatements(env, db, claim, { status: 200, body: booking })),
          ...updateBookingAsRead(db, read, changes),
          ...(read.sessionId === null ? [releaseHold(db, bookingId)] : []),
          ...dropReminders(db, bookingId),
          ...(unpaid ? giveUpPayment(db, read, unpaid, command) : []),
          ...(givesBack && !read.isTest
            ? [uncountInQuota(db, read.organizationId, monthOf(read.createdAt))]
            : []),
          recordActivity(db, after, command.origin, {
            action: 'booking.cancelled',
            resourceType: 'booking',
            resourceId: bookingId,
            changes: { status: [read.status, 'cancelled'], reason },
          }),
          ...event.statements,
          ...succession.statements,
        ])
      } catch (error) {
        const fence = fenceOf(error)
        if (fence === 'KEY_IN_USE') return refused(STILL_RUNNING)
        // A successor was refused: what they were given is decided again.
        if (fence === null || succession.statements.length === 0) throw error
        continue
      }
      announce({ type: 'event', eventId: event.id })
      if (unpaid && !read.isTest) announce({ type: 'payment', paymentId: unpaid.id })
      if (held) await passOnTime(workplace, interest, succession, read, now)
      return { kind: 'done', body: booking }
    }
  } finally {
    memory.forget()
  }
}
