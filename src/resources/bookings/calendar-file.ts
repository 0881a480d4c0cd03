import type { Env } from '../../env.ts'
import { type Invitation, writeInvitation } from '../../providers/icalendar/write-invitation.ts'
import { uidOf } from '../../schedule/own-uids.ts'
import type { Booking } from './schema.ts'

type Meeting = {
  readonly booking: Booking
  readonly revision: number
  readonly title: string
  readonly organizationName: string
  readonly happenedAt: number
}

/** A booking as calendar programs read it, in a letter or to download. */
export function calendarFile(env: Env, method: Invitation['method'], meeting: Meeting): string {
  const { booking, revision, title, organizationName } = meeting
  return writeInvitation({
    method,
    uid: uidOf(booking.id),
    sequence: revision - 1,
    stamp: meeting.happenedAt,
    start: Date.parse(booking.start_time),
    end: Date.parse(booking.end_time),
    summary: `${title} with ${organizationName}`,
    description: booking.notes ?? '',
    location: booking.location,
    url: booking.conferencing_url,
    organizer: { name: organizationName, email: env.EMAIL_FROM },
    attendees: booking.attendees,
  })
}
