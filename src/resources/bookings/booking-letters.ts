import { tokenFor } from '../../auth/secret.ts'
import type { Env } from '../../env.ts'
import { writeInvitation } from '../../providers/icalendar/write-invitation.ts'
import { letterBody } from '../mail/letter-body.ts'
import type { Letter } from '../mail/post-letter.ts'
import { meetingLines, whenLine } from './meeting-lines.ts'
import type { Booking } from './schema.ts'

const TOLD_BY_LETTER = ['booking.created', 'booking.rescheduled', 'booking.cancelled'] as const
/** What an event tells, or that the meeting's link is there, which the letter before had to go without. */
type LetterKind = (typeof TOLD_BY_LETTER)[number] | 'booking.linked'

export function isToldByLetter(kind: string): kind is (typeof TOLD_BY_LETTER)[number] {
  return TOLD_BY_LETTER.some((told) => told === kind)
}

export type BookingNews = {
  readonly eventId: string
  readonly kind: LetterKind
  readonly booking: Booking
  readonly previous: { readonly start_time: string; readonly end_time: string } | null
  readonly revision: number
  readonly title: string
  readonly organizationName: string
  readonly happenedAt: number
}

/** The letters that tell a booking's attendees what happened to it, each with the calendar's version of it. */
export async function bookingLetters(env: Env, news: BookingNews): Promise<Letter[]> {
  const { booking, eventId } = news
  const token = await tokenFor(env.ENCRYPTION_KEY, booking.id)
  const manageUrl = `${env.PUBLIC_URL}/bookings/${booking.id}?token=${token}`
  const invite = {
    filename: 'invite.ics',
    type: `text/calendar; charset=utf-8; method=${methodOf(news.kind)}`,
    content: invitationOf(env, news),
  }
  return booking.attendees.map((attendee) => ({
    onceKey: `event/${eventId}/${attendee.id}`,
    to: attendee.email,
    ...wordsOf(news, attendee.timezone, attendee.is_primary ? manageUrl : null),
    attachments: [invite],
  }))
}

function methodOf(kind: LetterKind): 'REQUEST' | 'CANCEL' {
  return kind === 'booking.cancelled' ? 'CANCEL' : 'REQUEST'
}

function wordsOf(news: BookingNews, timeZone: string, manageUrl: string | null) {
  const { kind, booking, previous, title, organizationName } = news
  const what = `${title} with ${organizationName}`
  const action = manageUrl === null ? {} : { action: { label: 'Cancel or reschedule', url: manageUrl } }
  switch (kind) {
    case 'booking.created': {
      const heading = `Confirmed: ${what}`
      return {
        subject: heading,
        ...letterBody({ heading, lines: meetingLines(booking, timeZone), ...action }),
      }
    }
    case 'booking.rescheduled': {
      const heading = `Rescheduled: ${what}`
      const was = previous ? [`It was planned for ${whenLine(previous.start_time, timeZone)}.`] : []
      const lines = [...meetingLines(booking, timeZone), ...was]
      return { subject: heading, ...letterBody({ heading, lines, ...action }) }
    }
    case 'booking.linked': {
      const heading = `Meeting link: ${what}`
      return {
        subject: heading,
        ...letterBody({ heading, lines: meetingLines(booking, timeZone), ...action }),
      }
    }
    case 'booking.cancelled': {
      const heading = `Cancelled: ${what}`
      const reason = booking.cancel_reason ? [`Reason: ${booking.cancel_reason}`] : []
      const lines = [`It was planned for ${whenLine(booking.start_time, timeZone)}.`, ...reason]
      return { subject: heading, ...letterBody({ heading, lines }) }
    }
  }
}

function invitationOf(env: Env, news: BookingNews): string {
  const { booking, kind, revision, title, organizationName } = news
  return writeInvitation({
    method: methodOf(kind),
    uid: uidOf(booking.id),
    sequence: revision - 1,
    stamp: news.happenedAt,
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

/** One booking is one event in every calendar, for as long as it lives. */
export function uidOf(bookingId: string): string {
  return `${bookingId}@holdfast`
}
