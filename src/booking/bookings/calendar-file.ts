import { uidOf } from '../../engine/schedule/own-uids.ts'
import type { Env } from '../../env.ts'
import type { Attachment } from '../../platform/email/email-sender.ts'
import { headed } from '../../platform/i18n/colon.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import {
  type Invitation,
  writeInvitation,
  writePublication,
} from '../../platform/icalendar/write-invitation.ts'
import { everybodyIn } from './email-recipients.ts'
import { phonePlace } from './meeting-facts.ts'
import type { Booking } from './schema.ts'

export type Meeting = {
  readonly booking: Booking
  readonly revision: number
  readonly happenedAt: number
  readonly title: string
  /** The people whom the reader meets. */
  readonly withWhom: string
  readonly organizationName: string
  /** The attendees, for a reader who hosts it. */
  readonly who?: readonly string[]
  readonly locale: Locale
  /** The page on which the reader changes it; null for guests, who cannot. */
  readonly link: { readonly label: string; readonly url: string } | null
}

/** A booking as an iCalendar file, to attach to an email or to download. */
export function calendarFile(env: Env, method: Invitation['method'], meeting: Meeting): string {
  return writeInvitation({ method, ...meetingLines(env, meeting) })
}

/** Several bookings as one file, to attach to an email: a calendar takes each as an event of its own. */
export function attachedFiles(
  env: Env,
  meetings: readonly (Meeting & { readonly isCancelled: boolean })[],
): Attachment {
  const events = meetings.map((meeting) => ({
    ...meetingLines(env, meeting),
    isCancelled: meeting.isCancelled,
  }))
  return {
    filename: 'series.ics',
    type: 'text/calendar; charset=utf-8; method=PUBLISH',
    content: writePublication(events),
  }
}

function meetingLines(env: Env, meeting: Meeting): Omit<Invitation, 'method'> {
  const { booking, revision, title, withWhom, organizationName, who = [], locale, link } = meeting
  const { notes, location, conferencing_url: url } = booking
  const description = [
    ...(who.length > 0 ? [who.join('\n')] : []),
    ...(notes ? [notes] : []),
    ...(url ? [`${headed(locale, locale.texts.joinLink)} ${url}`] : []),
    ...(link ? [`${headed(locale, link.label)} ${link.url}`] : []),
  ]
  return {
    uid: uidOf(booking.id),
    sequence: revision - 1,
    stamp: meeting.happenedAt,
    start: Date.parse(booking.start_time),
    end: Date.parse(booking.end_time),
    summary: withWhom === '' ? title : `${title} · ${withWhom}`,
    description: description.join('\n\n'),
    // Many calendar programs show the link of a call by this property alone.
    location: location || url || phonePlace(locale, booking.place),
    url,
    organizer: { name: organizationName, email: env.EMAIL_FROM },
    attendees: everybodyIn(booking).filter(({ email }) => email !== ''),
  }
}

/** The same to attach to an email, with the method that makes mail programs offer to accept it. */
export function attachedFile(env: Env, method: Invitation['method'], meeting: Meeting): Attachment {
  return {
    filename: 'invite.ics',
    type: `text/calendar; charset=utf-8; method=${method}`,
    content: calendarFile(env, method, meeting),
  }
}
