import type { About, Person } from '../../outbox/mail/sender.ts'
import type { Previous } from '../../platform/db/schema/records.ts'
import { subjectDateText } from '../../platform/i18n/format.ts'
import { type Locale, localeOf } from '../../platform/i18n/locale.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'
import type { KeptAnswer } from '../questions/take-answers.ts'
import type { Attendee, EmailedKind } from './email-recipients.ts'
import { type Seen, zoneOf } from './meeting-facts.ts'
import type { Booking } from './schema.ts'

/** The kind of the event, or the email without an event: a link, a reminder, a request to pay, what follows after its end. */
type EmailKind =
  | EmailedKind
  | 'booking.linked'
  | 'booking.reminded'
  | 'booking.payable'
  | 'booking.followed_up'

export type BookingNews = {
  readonly kind: EmailKind
  readonly booking: Booking
  readonly isKeyless: boolean
  readonly previous: Previous | null
  readonly revision: number
  /** Of the token in the link to the invitee. */
  readonly addressVersion: number
  readonly happenedAt: number
  readonly about: About
  readonly people: readonly Person[]
  /** If a whole session changed: how many bookings, and whether members have an email about it already. */
  readonly session?: { readonly bookings: number | null; readonly isToldAlready: boolean }
  /** Whether it was booked from the waitlist. */
  readonly isPromotion?: boolean
  /** Whether it ended before it was approved. */
  readonly wasRequest?: boolean
  /** Until when an unpaid booking is held. */
  readonly payBy?: number | null
  /** What is refunded to the payer. */
  readonly givenBack?: number | null
  /** The ids of attendees who get no email because of a limit; for members only. */
  readonly heldBack?: readonly string[] | null
  /** The answers to the event type's questions; for members only. */
  readonly answers?: readonly KeptAnswer[]
  /** The invitee's number; for members only. */
  readonly phone?: string | null
}

/**
 * Anyone can book without a key and name anyone as a guest. So guests of such a booking see nothing that the invitee typed:
 * no notes, reasons or names.
 */
export function asSeenBy<T extends Pick<BookingNews, 'booking' | 'isKeyless' | 'previous'>>(
  attendee: Attendee,
  news: T,
): T {
  const { booking, isKeyless, previous } = news
  if (!isKeyless || attendee.is_primary) return news
  return {
    ...news,
    previous: previous && { ...previous, reason: null },
    booking: {
      ...booking,
      invitee_name: '',
      notes: null,
      metadata: {},
      cancel_reason: null,
      attendees: [{ ...attendee, name: attendee.email }],
      guests: [],
    },
  }
}

export function inviteeLocale({ invitee_locale }: Booking, { sender }: About): Locale {
  return localeOf(spokenTag(invitee_locale, sender.locale))
}

/** Replies of an invitee go to the host, or to the owner if the host has left; undefined if neither has an address. */
export function replyAddress(
  { assigned_host: host }: Pick<Booking, 'assigned_host'>,
  people: readonly Person[],
): string | undefined {
  const hosts = people.find(({ id }) => id === host?.member_id)?.email
  const owners = people.find(({ isOwner }) => isOwner)?.email
  return hosts || owners || undefined
}

/** The day of the booking, as in subjects. */
export function subjectDate(seen: Seen): string {
  return subjectDateText(seen.locale, Date.parse(seen.booking.start_time), zoneOf(seen))
}
