import type { Db, Statement } from '../../../db/client.ts'
import { MINUTE_MS } from '../../../scheduling/time-units.ts'
import { deleteReminders, insertReminders } from './queries.ts'

type Planned = {
  readonly id: string
  readonly organizationId: string
  readonly isTest: boolean
  readonly startTime: number
}

/** The reminders of a booking, for the batch that sets its start. A reminder that is already due is not sent late. */
export function planReminders(
  db: Db,
  booking: Planned,
  minutesBefore: readonly number[],
  now: number,
): Statement[] {
  const planned = [...new Set(minutesBefore)]
    .map((minutes) => ({
      bookingId: booking.id,
      minutesBefore: minutes,
      organizationId: booking.organizationId,
      isTest: booking.isTest,
      dueAt: booking.startTime - minutes * MINUTE_MS,
    }))
    .filter(({ dueAt }) => dueAt > now)
  return insertReminders(db, planned)
}

export function dropReminders(db: Db, bookingId: string): Statement[] {
  return [deleteReminders(db, bookingId)]
}
