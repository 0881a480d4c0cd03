import { meetingOf } from '../../booking/bookings/meeting-of.ts'
import { presentPhone } from '../../booking/bookings/present.ts'
import { calendarPlace, isCalled } from '../../booking/places/place-kinds.ts'
import type { Env } from '../../env.ts'
import type { Guest } from '../../platform/db/schema/bookings.ts'
import type { CalendarEvent } from '../../platform/icalendar/calendar-event.ts'
import type { BookingRow, WriteRow } from './queries.ts'

export type Written = {
  readonly booking: BookingRow
  readonly title: string
  readonly organizationName: string
}

/**
 * The calendar event for the bookings of one holder, which share their time. It holds no token, because what invitees
 * may do with their booking is for them only.
 */
export async function describeEvent(
  env: Env,
  write: WriteRow,
  written: readonly [Written, ...Written[]],
  stamp: number,
): Promise<CalendarEvent> {
  const [{ booking, title, organizationName }] = written
  const attendees = written.flatMap((one) => one.booking.attendees)
  const guests = written.flatMap((one) => (one.booking.guests ?? []).map(asNamed))
  const isSession = booking.sessionId !== null
  return {
    uid: write.uid,
    sequence: sequenceOf(write, written),
    start: booking.startTime,
    end: booking.endTime,
    stamp,
    summary: isSession ? `${title} (${attendees.length})` : meetingOf(title, booking.inviteeName),
    description: (await Promise.all(written.map((one) => linesOf(env, one)))).flat().join('\n'),
    location: firstOf(written, ({ location, place }) => location ?? calendarPlace(place)),
    url: firstOf(written, ({ conferencingUrl }) => conferencingUrl),
    organizer: { name: organizationName, email: env.EMAIL_FROM },
    attendees: [...attendees, ...guests].filter(isSomebody).map(({ name, email }) => ({ name, email })),
    wantsMeeting: write.wantsMeeting && written.some(({ booking }) => isOfCalendar(booking)),
  }
}

/** Attendees of a session may have chosen different places. */
function firstOf(written: readonly Written[], tell: (booking: BookingRow) => string | null): string | null {
  return written.map(({ booking }) => tell(booking)).find((text) => text !== null) ?? null
}

function isOfCalendar({ ownMeetingUrl, place }: BookingRow): boolean {
  return ownMeetingUrl === null && (place === null || place.kind.endsWith('_meet'))
}

/** The SEQUENCE of the emails for a single booking; a session's grows with each of its bookings. */
function sequenceOf(write: WriteRow, written: readonly Written[]): number {
  const told = Math.max(...written.map(({ booking }) => booking.revision - 1))
  const isSession = written[0]?.booking.sessionId !== null
  const next = write.eventId !== null && isSession ? write.sequence + 1 : write.sequence
  return Math.max(told, next)
}

async function linesOf(env: Env, { booking }: Written): Promise<string[]> {
  const phone = isCalled(booking) ? await presentPhone(env, booking) : null
  return [
    ...[...booking.attendees, ...(booking.guests ?? []).map(asNamed)]
      .filter(isSomebody)
      .map(({ name, email }) => `${name} (${email})`),
    ...(phone === null ? [] : [`${booking.inviteeName}: ${phone}`]),
    ...(booking.notes === null ? [] : [`Notes: ${booking.notes}`]),
  ]
}

/** A guest may have no name. */
function asNamed({ name, email }: Guest) {
  return { name: name ?? email, email }
}

/** An erased person keeps a seat. */
function isSomebody({ email }: { readonly email: string }): boolean {
  return email !== ''
}
