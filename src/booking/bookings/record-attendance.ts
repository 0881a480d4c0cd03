import type { Decided, Rows, Turn, Verb } from '../../engine/turn/verb.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { because, invalid, missing, type Refusal } from '../../platform/http/errors.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { selectRequest } from './approval/queries.ts'
import { attendanceOf } from './attendance.ts'
import type { RecordAttendance } from './commands.ts'
import { presentBooking } from './present.ts'
import { selectBooking } from './queries.ts'
import type { Booking } from './schema.ts'
import { updateBookingAsRead } from './statements.ts'

type Asked = readonly [ReturnType<typeof selectBooking>, ReturnType<typeof selectRequest>]

/**
 * Records the attendance of a meeting that has begun, even if it was cancelled after its start. The latest record counts;
 * the same one again changes nothing.
 */
export function recordAttendance(command: RecordAttendance): Verb<Asked, Booking> {
  const { eventTypeId, bookingId, claim, now } = command
  return {
    eventTypeId,
    claim,
    now,
    asks: ({ db }) => [selectBooking(db, bookingId), selectRequest(db, bookingId)] as const,
    decide: (turn, { rows }) => decide(turn, rows!, command),
    asItIs: ([[read]]) => read && presentBooking(read),
  }
}

function decide({ db }: Turn, [[read], [request]]: Rows<Asked>, command: RecordAttendance): Decided<Booking> {
  if (!read) return { refusal: missing('booking') }
  const isUnapproved = request !== undefined && request.status !== 'confirmed'
  const refusal = refuse(read, isUnapproved, command)
  if (refusal) return { refusal }
  const { noShows, hostAbsent, origin, now } = command
  const attendance = attendanceOf(read, { noShows, hostAbsent, at: now })
  if (isSame(read, attendance)) return { unchanged: presentBooking(read) }
  const changes = { ...attendance, updatedAt: now }
  const after: BookingRow = { ...read, ...changes }
  const booking = presentBooking(after)
  const event = recordEvent(db, after, {
    kind: 'booking.attendance',
    data: booking,
    revision: read.revision + 1,
  })
  return {
    status: 200,
    body: booking,
    statements: [
      ...updateBookingAsRead(db, read, changes),
      recordActivity(db, after, origin, {
        action: 'booking.attendance_recorded',
        resourceType: 'booking',
        resourceId: read.id,
        changes: { no_shows: [read.noShows, after.noShows], host_absent: [read.hostAbsent, hostAbsent] },
      }),
      ...event.statements,
    ],
    messages: [{ type: 'event', eventId: event.id }],
    apply: (known) => known,
  }
}

function refuse(read: BookingRow, isUnapproved: boolean, { noShows, now }: RecordAttendance): Refusal | null {
  const { status, startTime, attendees } = read
  if (status === 'cancelled' && (isUnapproved || !hadBegun(read))) {
    return because('never_began')
  }
  if (now < startTime) return because('not_begun')
  const wrong = noShows.flatMap((id, at) =>
    attendees.some((attendee) => attendee.id === id)
      ? []
      : [[`no_shows.${at}`, problem('not_an_attendee')] as const],
  )
  return wrong.length === 0 ? null : invalid(Object.fromEntries(wrong)).refusal
}

/** Whether it began before it was cancelled. An unpaid one did not. */
function hadBegun({ cancelledAt, startTime, payment }: BookingRow): boolean {
  return cancelledAt !== null && cancelledAt >= startTime && payment?.status !== 'cancelled'
}

/** The first record changes something even if everybody came. */
function isSame(read: BookingRow, { attendees, hostAbsent }: ReturnType<typeof attendanceOf>): boolean {
  const isKnown = read.attendanceAt !== null && read.hostAbsent === hostAbsent
  return isKnown && attendees.every(({ no_show }, at) => no_show === (read.attendees[at]?.no_show ?? false))
}
