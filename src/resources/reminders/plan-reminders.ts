import type { Db, Statement } from '../../db/client.ts'
import type { BookingRow } from '../bookings/store.ts'
import { deleteReminders, insertReminders } from './store.ts'

/** The reminders of a booking, for the batch that gives it its start. What is due already is not sent late. */
export function planReminders(
  db: Db,
  booking: BookingRow,
  minutesBefore: readonly number[],
  now: number,
): Statement[] {
  const planned = [...new Set(minutesBefore)]
    .map((minutes) => ({
      bookingId: booking.id,
      minutesBefore: minutes,
      organizationId: booking.organizationId,
      isTest: booking.isTest,
      dueAt: booking.startTime - minutes * 60_000,
    }))
    .filter(({ dueAt }) => dueAt > now)
  return insertReminders(db, planned)
}

export function dropReminders(db: Db, bookingId: string): Statement {
  return deleteReminders(db, bookingId)
}
