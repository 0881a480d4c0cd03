import { holderOf } from '../../engine/schedule/held-time.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { NO_RULES, settingAside } from '../../engine/schedule/set-aside.ts'
import { capRefundPolicy } from '../../money/payments/statements.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { moveRequest } from './approval/statements.ts'
import type { RescheduleBooking } from './commands.ts'
import { creditHosts } from './credits/statements.ts'
import { capGuards } from './limits/cap-guards.ts'
import { hostGuards, inviteeGuards } from './limits/limit-guards.ts'
import { openSession } from './prepare-booking.ts'
import { presentBooking } from './present.ts'
import { changeSession, guardOwnName, releaseHold, takeHold, updateBookingAsRead } from './statements.ts'

type Move = {
  readonly read: BookingRow
  readonly after: BookingRow
  readonly changes: Partial<BookingRow>
  readonly placement: Placement
}

export function moveStatements(
  db: Db,
  schedule: Schedule,
  { read, after, changes, placement }: Move,
  { origin, reason }: RescheduleBooking,
  now: PresentMs,
): Statement[] {
  const { id } = after
  const rules = settingAside(schedule, after.overridden ?? NO_RULES)
  const stays = staysInSession(read, placement)
  return [
    ...capGuardsOfMove(db, rules, after, now),
    ...inviteeGuards(db, rules, after, now),
    ...(stays ? changeSession(db, after) : openSession(db, after, placement, now)),
    ...updateBookingAsRead(db, read, changes),
    ...(read.payment && origin.actorType === 'invitee' ? [capRefundPolicy(db, id, read.startTime, now)] : []),
    ...(read.sessionId === null || stays ? [releaseHold(db, holderOf(read))] : []),
    ...(after.sessionId === null ? [guardOwnName(db, id)] : []),
    ...hostGuards(db, rules, placement, now),
    ...takeHold(db, holderOf(after), placement),
    ...(read.status === 'pending_approval' ? moveRequest(db, after, now) : []),
    ...creditHosts(db, schedule, placement, now),
    recordActivity(db, after, origin, {
      action: 'booking.rescheduled',
      resourceType: 'booking',
      resourceId: id,
      changes: {
        start_time: [read, after].map((row) => presentBooking(row).start_time),
        reason,
        ...(after.overridden && { overridden: after.overridden }),
      },
    }),
  ]
}

/** Whether a booking that is alone in its session keeps it: only its length or its host changes. */
export function staysInSession(read: BookingRow, { session, start }: Placement): boolean {
  return read.sessionId !== null && session === 'new' && start === read.startTime
}

/** A cap on all bookings counts the booking wherever it is, so rescheduling takes no place. */
function capGuardsOfMove(db: Db, schedule: Schedule, after: BookingRow, now: PresentMs) {
  const period = schedule.eventType.bookingCapPeriod
  return period === null || period === 'total' ? [] : capGuards(db, schedule, after, now)
}
