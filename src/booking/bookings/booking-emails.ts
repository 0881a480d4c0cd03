import { type Env, urlAt } from '../../env.ts'
import { isOurReason } from '../../money/payments/reasons.ts'
import { letterBody } from '../../outbox/mail/email-body.ts'
import type { LetterContent } from '../../outbox/mail/email-content.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { inSubject } from '../../outbox/mail/in-subject.ts'
import type { About, Person } from '../../outbox/mail/sender.ts'
import type { Previous } from '../../platform/db/schema/records.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { momentText, moneyText, subjectDateText } from '../../platform/i18n/format.ts'
import { type Locale, localeOf } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'
import type { KeptAnswer } from '../questions/take-answers.ts'
import { attachedFile } from './calendar-file.ts'
import type { Attendee, EmailedKind } from './email-recipients.ts'
import { manageUrl } from './manage-url.ts'
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
} from './meeting-facts.ts'
import type { Booking } from './schema.ts'

/** The kind of an event, or else what there is to know: the link, that it is soon, that it is to be paid. */
type LetterKind = EmailedKind | 'booking.linked' | 'booking.reminded' | 'booking.payable'

export type BookingNews = {
  readonly kind: LetterKind
  readonly booking: Booking
  readonly isKeyless: boolean
  readonly previous: Previous | null
  readonly revision: number
  readonly happenedAt: number
  readonly about: About
  readonly people: readonly Person[]
  /** Whether it was booked for somebody who waited. */
  readonly isPromotion?: boolean
  /** Whether it is over before it was ever approved. */
  readonly wasRequest?: boolean
  /** Until when an unpaid one is held. */
  readonly payBy?: number | null
  /** What goes back to who paid. */
  readonly givenBack?: number | null
  /** The ids of attendees who get no email because of a limit, for members alone. */
  readonly heldBack?: readonly string[] | null
  /** What was asked and answered, for members alone. */
  readonly answers?: readonly KeptAnswer[]
}

/** The letter that tells one attendee what happened to a booking, with the calendar's version of it. */
export async function bookingEmail(env: Env, told: BookingNews, attendee: Attendee): Promise<Email> {
  const news = asSeenBy(attendee, told)
  const { booking, about, people, kind } = news
  const locale = inviteeLocale(booking, about)
  const seen: Seen = { locale, timeZone: attendee.timezone, booking, about }
  const url = attendee.is_primary ? await manageUrl(env, booking.id) : null
  const content = contentOf(env, news, seen, url)
  // No calendar knows of an unpaid booking or a request, and a reminder changes nothing.
  const isOpen = kind === 'booking.payable' || kind === 'booking.requested' || news.wasRequest
  const isCertain = booking.payment?.status !== 'cancelled' && !isOpen
  const hasFile = isCertain && kind !== 'booking.reminded'
  const method = kind === 'booking.cancelled' ? 'CANCEL' : 'REQUEST'
  return {
    to: attendee.email,
    replyTo: replyAddress(booking, people),
    subject: fill(subjectOf(news, locale), { what: inSubject(about.title), date: subjectDate(seen) }),
    ...letterBody({ locale, sender: about.sender, color: about.color }, content),
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

/**
 * Anybody can book without a key, and name anybody as a guest. So the guests of such a booking read nothing that
 * was typed with it: neither notes nor reasons nor names.
 */
function asSeenBy<T extends Pick<BookingNews, 'booking' | 'isKeyless' | 'previous'>>(
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
    },
  }
}

function inviteeLocale({ invitee_locale }: Booking, { sender }: About): Locale {
  return localeOf(spokenTag(invitee_locale, sender.locale))
}

/** Replies of an invitee go to the host, else to the owner, as when the host left; undefined if neither has an address. */
export function replyAddress(
  { assigned_host: host }: Pick<Booking, 'assigned_host'>,
  people: readonly Person[],
): string | undefined {
  const hosts = people.find(({ id }) => id === host?.member_id)?.email
  const owners = people.find(({ isOwner }) => isOwner)?.email
  return hosts || owners || undefined
}

/** The day of the booking, as a subject tells it. */
export function subjectDate(seen: Seen): string {
  return subjectDateText(seen.locale, Date.parse(seen.booking.start_time), zoneOf(seen))
}

function subjectOf({ kind, isPromotion }: BookingNews, { letters }: Locale): string {
  switch (kind) {
    case 'booking.created':
    case 'booking.confirmed':
      return isPromotion ? letters.promotedSubject : letters.confirmedSubject
    case 'booking.requested':
      return letters.requestReceivedSubject
    case 'booking.rescheduled':
      return letters.movedSubject
    case 'booking.payable':
      return letters.paySubject
    case 'booking.linked':
      return letters.linkSubject
    case 'booking.reminded':
      return letters.reminderSubject
    case 'booking.cancelled':
      return letters.cancelledSubject
  }
}

function contentOf(env: Env, news: BookingNews, seen: Seen, url: string | null): LetterContent {
  const { kind, booking, previous, people, isPromotion, about } = news
  const { texts, letters } = seen.locale
  const why = url === null ? letters.whyGuest : letters.whyBooked
  const reason = fill(why, { org: inBody(about.sender.name) })
  const action = url === null ? {} : { action: { label: texts.manageBooking, url } }
  const place = [...whereFacts(seen), ...hostFacts(seen, people), ...priceFacts(seen)]
  const meeting = [whatFact(seen), ...whenFacts(seen), ...place]
  const notes = quoteFacts(letters.notes, booking.notes)
  switch (kind) {
    case 'booking.created':
    case 'booking.confirmed': {
      const promotion = isPromotion ? { heading: texts.promoted, paragraphs: [letters.promotedText] } : null
      return { heading: texts.confirmed, ...promotion, facts: [...meeting, ...notes], ...action, reason }
    }
    case 'booking.rescheduled': {
      const former = previous ? [formerFact(seen, previous)] : []
      const why = quoteFacts(texts.reasonGiven, previous?.reason)
      return {
        heading: texts.rescheduled,
        paragraphs: [letters.movedText],
        facts: [whatFact(seen), ...whenFacts(seen), ...former, ...place, ...why, ...notes],
        ...action,
        reason,
      }
    }
    case 'booking.requested':
      return {
        heading: texts.awaitingApproval,
        paragraphs: [texts.awaitingApprovalText],
        facts: [...meeting, ...notes],
        ...action,
        reason,
      }
    case 'booking.payable': {
      const time = momentText(seen.locale, news.payBy!, zoneOf(seen))
      return {
        heading: texts.awaitingPayment,
        paragraphs: [fill(letters.payText, { time })],
        facts: [...meeting, ...notes],
        ...(url !== null && { action: { label: letters.payOrCancel, url } }),
        reason,
      }
    }
    case 'booking.linked':
      return { heading: letters.linkHeading, facts: [...meeting, ...notes], ...action, reason }
    case 'booking.reminded':
      return { heading: letters.reminderHeading, facts: [...meeting, ...notes], ...action, reason }
    case 'booking.cancelled':
      return {
        heading: texts.cancelled,
        paragraphs: url === null ? [] : moneyTexts(news, seen.locale),
        facts: [whatFact(seen), ...whenFacts(seen, { isOver: true }), ...reasonFacts(seen)],
        ...(url !== null &&
          about.pagePath !== null && {
            action: { label: texts.bookAgain, url: urlAt(env, `/book/${about.pagePath}`) },
          }),
        reason,
      }
  }
}

/** What becomes of what was paid, for who paid it: a payment may also be on its way still. */
function moneyTexts(
  { booking: { payment, cancel_reason }, givenBack }: BookingNews,
  locale: Locale,
): string[] {
  const { texts, letters } = locale
  if (payment?.status === 'cancelled') {
    return [...(isOurReason(cancel_reason) ? [letters.unpaidText] : []), letters.latePaymentText]
  }
  if (!payment || !givenBack) return []
  return [fill(texts.refundGiven, { amount: moneyText(locale, givenBack, payment.currency) })]
}
