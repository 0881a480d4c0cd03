import { type Env, urlAt } from '../../env.ts'
import { isOurReason } from '../../money/payments/reasons.ts'
import { emailBody } from '../../outbox/mail/email-body.ts'
import type { EmailContent } from '../../outbox/mail/email-content.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import { ownSubject, ownTextOf, withOwnText } from '../../outbox/mail/own-texts/own-text.ts'
import type { About, Person } from '../../outbox/mail/sender.ts'
import type { Left, Previous } from '../../platform/db/schema/records.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { momentText, moneyText, subjectDateText } from '../../platform/i18n/format.ts'
import { type Locale, localeOf } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'
import type { KeptAnswer } from '../questions/take-answers.ts'
import { attachedFile } from './calendar-file.ts'
import type { Attendee, EmailedKind } from './email-recipients.ts'
import { manageUrl } from './invitee-token.ts'
import {
  formerFact,
  hostFacts,
  priceFacts,
  quoteFacts,
  reasonFacts,
  type Seen,
  whatFact,
  whenFacts,
  whereFacts,
  zoneOf,
  zoneOfPerson,
} from './meeting-facts.ts'
import { ownValues } from './own-values.ts'
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

/** The email that notifies one attendee about a booking, with a calendar file. */
export async function bookingEmail(env: Env, told: BookingNews, attendee: Attendee): Promise<Email> {
  const news = asSeenBy(attendee, told)
  const { booking, about, people, kind } = news
  const locale = inviteeLocale(booking, about)
  const seen: Seen = { locale, timeZone: zoneOfPerson(about, attendee.timezone), booking, about }
  const url = attendee.is_primary
    ? await manageUrl(env, { id: booking.id, addressVersion: news.addressVersion })
    : null
  const own = ownTextOf(about, locale)
  const values = ownValues(seen, attendee, people)
  const content = withOwnText(contentOf(env, news, seen, url), own, values)
  const usual = fill(subjectOf(news, locale), { what: inSubject(about.title), date: subjectDate(seen) })
  // Calendars have no unpaid bookings and no requests, and a reminder changes nothing.
  const isWaiting = booking.status === 'pending_approval' || booking.status === 'pending_payment'
  const isOpen = kind === 'booking.payable' || isWaiting || news.wasRequest
  const isCertain = booking.payment?.status !== 'cancelled' && !isOpen
  const hasFile = isCertain && kind !== 'booking.reminded' && kind !== 'booking.followed_up'
  const method = kind === 'booking.cancelled' ? 'CANCEL' : 'REQUEST'
  return {
    to: attendee.email,
    replyTo: replyAddress(booking, people),
    subject: ownSubject(own, values) ?? usual,
    ...emailBody({ locale, sender: about.sender, color: about.color }, content),
    ...(hasFile && {
      attachments: [
        attachedFile(env, method, {
          ...news,
          title: about.title,
          withWhom: about.sender.name,
          organizationName: about.sender.name,
          locale,
          link: url === null ? null : { label: locale.texts.manageBooking, url },
        }),
      ],
    }),
  }
}

/** The email to somebody whose booking it is no longer. It says nothing of what is planned now. */
export async function leftEmail(env: Env, { booking, ...news }: BookingNews, left: Left): Promise<Email> {
  const { about, people, revision, happenedAt } = news
  const seat = { ...left, is_primary: false, no_show: false }
  const nobody = {
    ...booking,
    invitee_name: '',
    notes: null,
    location: null,
    place: null,
    conferencing_url: null,
  }
  const seen: Seen = {
    locale: inviteeLocale(booking, about),
    timeZone: zoneOfPerson(about, left.timezone),
    booking: { ...nobody, attendees: [seat], guests: [] },
    about,
  }
  const { locale } = seen
  const { emails } = locale
  const content: EmailContent = {
    heading: emails.leftHeading,
    paragraphs: [fill(emails.leftText, { org: inBody(about.sender.name) })],
    facts: [whatFact(seen), ...whenFacts(seen, { isOver: true })],
    reason: fill(emails.whyBooked, { org: inBody(about.sender.name) }),
  }
  const file = { booking: seen.booking, revision, happenedAt, title: about.title, locale, link: null }
  const name = about.sender.name
  return {
    to: left.email,
    replyTo: replyAddress(booking, people),
    subject: fill(emails.leftSubject, { what: inSubject(about.title), date: subjectDate(seen) }),
    ...emailBody({ locale, sender: about.sender, color: about.color }, content),
    attachments: [attachedFile(env, 'CANCEL', { ...file, withWhom: name, organizationName: name })],
  }
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

export function subjectOf({ kind, isPromotion }: BookingNews, { emails }: Locale): string {
  switch (kind) {
    case 'booking.created':
    case 'booking.confirmed':
      return isPromotion ? emails.promotedSubject : emails.confirmedSubject
    case 'booking.requested':
      return emails.requestReceivedSubject
    case 'booking.rescheduled':
      return emails.movedSubject
    case 'booking.reassigned':
      return emails.reassignedSubject
    case 'booking.payable':
      return emails.paySubject
    case 'booking.updated':
      return emails.updatedSubject
    case 'booking.linked':
      return emails.linkSubject
    case 'booking.reminded':
      return emails.reminderSubject
    case 'booking.followed_up':
      return emails.followUpSubject
    case 'booking.cancelled':
      return emails.cancelledSubject
  }
}

function contentOf(env: Env, news: BookingNews, seen: Seen, url: string | null): EmailContent {
  const { kind, booking, previous, people, isPromotion, about } = news
  const { texts, emails } = seen.locale
  const why = url === null ? emails.whyGuest : emails.whyBooked
  const reason = fill(why, { org: inBody(about.sender.name) })
  const action = url === null ? {} : { action: { label: texts.manageBooking, url } }
  const { pagePath } = about
  const again = pagePath !== null && {
    action: { label: texts.bookAgain, url: urlAt(env, `/book/${pagePath}`) },
  }
  const place = [...whereFacts(seen), ...hostFacts(seen, people), ...priceFacts(seen)]
  const meeting = [whatFact(seen), ...whenFacts(seen), ...place]
  const notes = quoteFacts(emails.notes, booking.notes)
  switch (kind) {
    case 'booking.created':
    case 'booking.confirmed': {
      const promotion = isPromotion ? { heading: texts.promoted, paragraphs: [emails.promotedText] } : null
      return { heading: texts.confirmed, ...promotion, facts: [...meeting, ...notes], ...action, reason }
    }
    case 'booking.rescheduled': {
      const former = previous ? [formerFact(seen, previous)] : []
      const why = quoteFacts(texts.reasonGiven, previous?.reason)
      return {
        heading: texts.rescheduled,
        intro: emails.movedText,
        facts: [whatFact(seen), ...whenFacts(seen), ...former, ...place, ...why, ...notes],
        ...action,
        reason,
      }
    }
    case 'booking.reassigned': {
      const why = quoteFacts(texts.reasonGiven, previous?.reason)
      return {
        heading: emails.reassignedHeading,
        paragraphs: [emails.reassignedText],
        facts: [...meeting, ...why, ...notes],
        ...action,
        reason,
      }
    }
    case 'booking.requested':
      return {
        heading: texts.awaitingApproval,
        intro: texts.awaitingApprovalText,
        facts: [...meeting, ...notes],
        ...action,
        reason,
      }
    case 'booking.payable': {
      const time = momentText(seen.locale, news.payBy!, zoneOf(seen))
      return {
        heading: texts.awaitingPayment,
        paragraphs: [fill(emails.payText, { time })],
        facts: [...meeting, ...notes],
        ...(url !== null && { action: { label: emails.payOrCancel, url } }),
        reason,
      }
    }
    case 'booking.updated':
      return { heading: emails.updatedHeading, facts: [...meeting, ...notes], ...action, reason }
    case 'booking.linked':
      return { heading: emails.linkHeading, facts: [...meeting, ...notes], ...action, reason }
    case 'booking.reminded':
      return { heading: emails.reminderHeading, facts: [...meeting, ...notes], ...action, reason }
    case 'booking.followed_up':
      return {
        heading: emails.followUpHeading,
        intro: emails.followUpText,
        facts: [whatFact(seen), ...whenFacts(seen), ...hostFacts(seen, people)],
        ...again,
        reason,
      }
    case 'booking.cancelled':
      return {
        heading: texts.cancelled,
        paragraphs: url === null ? [] : moneyTexts(news, seen.locale),
        facts: [whatFact(seen), ...whenFacts(seen, { isOver: true }), ...reasonFacts(seen)],
        ...(url !== null && again),
        reason,
      }
  }
}

/** The state of the payment, for its payer; it may still be processing. */
function moneyTexts(
  { booking: { payment, cancel_reason }, givenBack }: BookingNews,
  locale: Locale,
): string[] {
  const { texts, emails } = locale
  if (payment?.status === 'cancelled') {
    return [...(isOurReason(cancel_reason) ? [emails.unpaidText] : []), emails.latePaymentText]
  }
  if (!payment || !givenBack) return []
  return [fill(texts.refundGiven, { amount: moneyText(locale, givenBack, payment.currency) })]
}
