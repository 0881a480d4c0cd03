import { MINUTE_MS } from '../../core/time-units.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { withoutBooking } from './apply-booking.ts'
import { withoutOwnEvent } from './calendar-times.ts'
import type { Schedule } from './schedule.ts'

/** A schedule, and for how many seats starts are searched. */
export type Seen = {
  readonly schedule: Schedule
  readonly seats: number
  /** The length of the booking that moves. */
  readonly durationMinutes?: number
}

/** A schedule without a booking, for all its attendees. */
export function leavingOut(read: BookingRow): (schedule: Schedule) => Seen {
  const isThere = ({ eventType }: Schedule) =>
    read.status !== 'cancelled' && read.eventTypeId === eventType.id
  return (schedule) => ({
    schedule: isThere(schedule) ? withoutOwnEvent(withoutBooking(schedule, read), read) : schedule,
    seats: read.attendees.length,
    durationMinutes: (read.endTime - read.startTime) / MINUTE_MS,
  })
}
