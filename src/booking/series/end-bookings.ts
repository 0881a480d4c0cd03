import { monthOf } from '../../engine/schedule/schedule.ts'
import { insertFreedForInvitee } from '../../engine/schedule/statements.ts'
import { recordActivities } from '../../outbox/activity/statements.ts'
import { recordEvents } from '../../outbox/events/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { Acts, BookingRow } from '../../platform/db/schema/bookings.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { isCancelledEarly } from '../anonymous-callers/early-cancel.ts'
import { withActs } from '../bookings/acts.ts'
import { callForSeveral } from '../bookings/follow-ups/statements.ts'
import { uncountInQuota } from '../bookings/limits/statements.ts'
import { presentBooking } from '../bookings/present.ts'
import { NO_REMINDERS } from '../bookings/reminders/plan-reminders.ts'
import { guardRevisions, releaseHolds } from '../bookings/statements.ts'
import { changeBookings } from '../sessions/statements.ts'
import { marksOf } from './series-marks.ts'

type Ending = {
  readonly origin: Origin
  readonly now: AskedMs
  readonly reason: string | null
  readonly isQuiet: boolean
  readonly acts: readonly (keyof Acts)[]
  /** Null if bookings of one invitee are not limited. */
  readonly inviteeLimit: number | null
}

/** Cancels bookings of one series together: the same number of statements however many they are. */
export function endBookings(db: Db, read: readonly BookingRow[], ending: Ending) {
  const { origin, now, reason, isQuiet, acts, inviteeLimit } = ending
  const [first] = read
  const changed = read.map((row) => ({
    read: row,
    changes: {
      status: 'cancelled' as const,
      cancelledAt: now,
      cancelReason: reason,
      ...withActs(row, origin, ...acts),
      ...NO_REMINDERS,
      updatedAt: now,
    },
  }))
  const after = changed.map(
    ({ read: row, changes }): BookingRow => ({ ...row, ...changes, revision: row.revision + 1 }),
  )
  const marks = marksOf(read)
  const events = recordEvents(
    db,
    first!,
    after.map((row, at) => ({
      kind: 'booking.cancelled' as const,
      data: presentBooking(row),
      revision: row.revision,
      isQuiet,
      series: marks[at],
    })),
  )
  const alone = read.filter(({ sessionId }) => sessionId === null).map(({ id }) => id)
  const sure = read.filter(({ status }) => status === 'confirmed' || status === 'rescheduled')
  const logged = read.map(({ id, status }) => ({
    action: 'booking.cancelled',
    resourceType: 'booking' as const,
    resourceId: id,
    changes: { status: [status, 'cancelled'], reason },
  }))
  const statements: Statement[] = [
    guardRevisions(db, read),
    ...changeBookings(db, changed),
    ...(alone.length > 0 ? [releaseHolds(db, alone)] : []),
    ...(inviteeLimit === null ? [] : [insertFreedForInvitee(db, first!)]),
    ...uncounted(db, read, origin, now),
    ...(sure.length > 0
      ? callForSeveral(
          db,
          sure.map(({ id }) => id),
        )
      : []),
    recordActivities(db, first!, origin, logged),
    ...events.statements,
  ]
  return { after, statements, eventIds: events.ids }
}

/** Requests, and what was cancelled soon after it was made, no longer count in their month. */
function uncounted(db: Db, read: readonly BookingRow[], origin: Origin, now: AskedMs): Statement[] {
  const isGivenBack = (row: BookingRow) =>
    !row.isTest && (row.status === 'pending_approval' || isCancelledEarly(row, origin, now))
  const months = Map.groupBy(read.filter(isGivenBack), ({ createdAt }) => monthOf(createdAt))
  return [...months].map(([month, rows]) => uncountInQuota(db, rows[0]!.organizationId, month, rows.length))
}
