import type { Env } from '../../env.ts'
import type { Email } from '../../providers/email/email-sender.ts'
import { letterBody } from '../mail/letter-body.ts'
import { PROVIDER_FAILED } from '../payments/reasons.ts'
import { calendarFile } from './calendar-file.ts'
import { manageUrl } from './manage-url.ts'
import { meetingLines, quoted, whenLine } from './meeting-lines.ts'
import { priceText } from './pay-letter.ts'
import type { Booking } from './schema.ts'

const TOLD_BY_LETTER = [
  'booking.created',
  'booking.confirmed',
  'booking.rescheduled',
  'booking.cancelled',
] as const
/** The kind of an event, or that the meeting's link is there now, which the previous letter lacked. */
type LetterKind = (typeof TOLD_BY_LETTER)[number] | 'booking.linked'

export function isToldByLetter(kind: string): kind is (typeof TOLD_BY_LETTER)[number] {
  return TOLD_BY_LETTER.some((told) => told === kind)
}

type Attendee = Booking['attendees'][number]

export type BookingNews = {
  readonly kind: LetterKind
  readonly booking: Booking
  readonly isKeyless: boolean
  readonly previous: { readonly start_time: string; readonly end_time: string } | null
  readonly revision: number
  readonly title: string
  readonly organizationName: string
  readonly happenedAt: number
  /** What goes back to who paid. */
  readonly givenBack?: number | null
}

/** The attendees who get a letter. */
export function toldOf({ attendees, status, cancel_reason, payment }: Booking): readonly Attendee[] {
  // Nothing is certain before it is paid, and a failure that the caller has already seen needs no letter.
  if (status === 'pending_payment' || cancel_reason === PROVIDER_FAILED) return []
  // Only the person who should pay knows of an unpaid booking.
  return payment?.status === 'cancelled' ? attendees.filter(({ is_primary }) => is_primary) : attendees
}

/** The letter that tells one attendee what happened to a booking, with the calendar's version of it. */
export async function bookingLetter(env: Env, news: BookingNews, attendee: Attendee): Promise<Email> {
  const seen = { ...news, booking: asSeenBy(attendee, news) }
  // No calendar knows of an unpaid booking.
  if (news.booking.payment?.status === 'cancelled') return unpaidLetter(seen, attendee)
  const method = news.kind === 'booking.cancelled' ? 'CANCEL' : 'REQUEST'
  return {
    to: attendee.email,
    ...wordsOf(seen, attendee.timezone, attendee.is_primary ? await manageUrl(env, news.booking.id) : null),
    attachments: [
      {
        filename: 'invite.ics',
        type: `text/calendar; charset=utf-8; method=${method}`,
        content: calendarFile(env, method, seen),
      },
    ],
  }
}

/**
 * Anybody can book without a key, and name anybody as a guest. So the guests of such a booking read nothing that
 * was typed with it: neither notes nor reasons nor names.
 */
export function asSeenBy(
  attendee: Attendee,
  { booking, isKeyless }: Pick<BookingNews, 'booking' | 'isKeyless'>,
): Booking {
  if (!isKeyless || attendee.is_primary) return booking
  return {
    ...booking,
    invitee_name: '',
    notes: null,
    metadata: {},
    cancel_reason: null,
    attendees: [{ ...attendee, name: attendee.email }],
  }
}

function unpaidLetter({ booking, title, organizationName }: BookingNews, attendee: Attendee): Email {
  const heading = `Cancelled: ${title} with ${organizationName}`
  const lines = [
    `It was planned for ${whenLine(booking.start_time, attendee.timezone)} and was not paid.`,
    ...quoted('Reason', booking.cancel_reason),
    'If you paid at the last moment, all of it is refunded.',
  ]
  return { to: attendee.email, subject: heading, ...letterBody({ heading, lines }) }
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
      const lines = [
        `It was planned for ${whenLine(booking.start_time, timeZone)}.`,
        ...quoted('Reason', booking.cancel_reason),
        ...givenBackLines(news, manageUrl !== null),
      ]
      return { subject: heading, ...letterBody({ heading, lines }) }
    }
  }
}

function givenBackLines({ booking: { payment }, givenBack }: BookingNews, isPayer: boolean): string[] {
  if (!isPayer || !payment || !givenBack) return []
  return [`${priceText(givenBack, payment.currency)} goes back to you.`]
}
