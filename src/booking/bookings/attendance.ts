import type { BookingRow } from '../../platform/db/schema/bookings.ts'

type Told = {
  /** The ids of the attendees who did not come. */
  readonly noShows: readonly string[]
  readonly hostAbsent: boolean
  readonly at: number
}

/** The columns of attendance. */
export function attendanceOf({ attendees }: BookingRow, { noShows, hostAbsent, at }: Told) {
  const told = attendees.map((one) => ({ ...one, no_show: noShows.includes(one.id) }))
  const count = told.filter(({ no_show }) => no_show).length
  return { attendees: told, noShows: count, hostAbsent, attendanceAt: at }
}

/** For a booking that is rescheduled: recorded attendance does not apply to the new meeting. */
export function withoutAttendance({ attendanceAt, attendees }: BookingRow): Partial<BookingRow> {
  if (attendanceAt === null) return {}
  const untold = attendees.map(({ no_show: _no_show, ...one }) => one)
  return { attendees: untold, noShows: 0, hostAbsent: false, attendanceAt: null }
}
