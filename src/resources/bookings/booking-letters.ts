import { tokenFor } from '../../auth/secret.ts'
import type { Env } from '../../env.ts'
import { letterBody } from '../mail/letter-body.ts'
import type { Letter } from '../mail/post-letter.ts'
import { PROVIDER_FAILED } from '../payments/reasons.ts'
import { calendarFile } from './calendar-file.ts'
import { meetingLines, whenLine } from './meeting-lines.ts'
import type { Booking } from './schema.ts'

const TOLD_BY_LETTER = [
  'booking.created',
  'booking.confirmed',
  'booking.rescheduled',
  'booking.cancelled',
] as const
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
  // Nothing is sure before it is paid, and whoever was told of a failure at once needs no letter about it.
  if (booking.status === 'pending_payment' || booking.cancel_reason === PROVIDER_FAILED) return []
  if (isUnpaid(booking)) return [unpaidLetter(news)]
  const token = await tokenFor(env.ENCRYPTION_KEY, booking.id)
  const manageUrl = `${env.PUBLIC_URL}/bookings/${booking.id}?token=${token}`
  const invite = {
    filename: 'invite.ics',
    type: `text/calendar; charset=utf-8; method=${methodOf(news.kind)}`,
    content: calendarFile(env, methodOf(news.kind), news),
  }
  return booking.attendees.map((attendee) => ({
    onceKey: `event/${eventId}/${attendee.id}`,
    to: attendee.email,
    ...wordsOf(news, attendee.timezone, attendee.is_primary ? manageUrl : null),
    attachments: [invite],
  }))
}

function isUnpaid({ payment }: Booking): boolean {
  return payment?.status === 'cancelled'
}

/** Only who was to pay knows of an unpaid booking, and no calendar does. */
function unpaidLetter({ eventId, booking, title, organizationName }: BookingNews): Letter {
  const heading = `Cancelled: ${title} with ${organizationName}`
  const lines = [
    `It was planned for ${whenLine(booking.start_time, booking.invitee_timezone)} and was not paid.`,
    ...(booking.cancel_reason ? [`Reason: ${booking.cancel_reason}`] : []),
    'Should you have paid at the last moment, all of it goes back to you.',
  ]
  return {
    onceKey: `event/${eventId}/${booking.id}`,
    to: booking.invitee_email,
    subject: heading,
    ...letterBody({ heading, lines }),
  }
}

function methodOf(kind: LetterKind): 'REQUEST' | 'CANCEL' {
  return kind === 'booking.cancelled' ? 'CANCEL' : 'REQUEST'
}

function wordsOf(news: BookingNews, timeZone: string, manageUrl: string | null) {
  const { kind, booking, previous, title, organizationName } = news
  const what = `${title} with ${organizationName}`
  const action = manageUrl === null ? {} : { action: { label: 'Cancel or reschedule', url: manageUrl } }
  switch (kind) {
    case 'booking.created':
    case 'booking.confirmed': {
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
