import { type Env, urlAt } from '../../env.ts'
import { isOurReason } from '../../money/payments/reasons.ts'
import type { EmailContent } from '../../outbox/mail/email-content.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import { momentText, moneyText } from '../../platform/i18n/format.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { BookingNews } from './booking-news.ts'
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

export function contentOf(env: Env, news: BookingNews, seen: Seen, url: string | null): EmailContent {
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
