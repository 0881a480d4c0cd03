import type { Fact } from '../../outbox/mail/email-content.ts'
import { inBody } from '../../outbox/mail/in-body.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { BookingNews } from './booking-news.ts'
import type { EmailedKind } from './email-recipients.ts'
import type { Booking } from './schema.ts'

/** The actor of what an email is about, for members. Older events do not name one. */
export function actFacts({ emails }: Locale, news: BookingNews): Fact[] {
  const act = actOf(news)
  if (!act?.by) return []
  return [{ label: emails[act.label], lines: [nameOf(emails, act.by)] }]
}

/** The member who did what an event is about; null if it was somebody else, or made the booking. */
export function actingMember(booking: Booking, kind: EmailedKind): string | null {
  const by = actorOfEvent(booking, kind)
  return by?.type === 'member' ? (by.id ?? null) : null
}

function actorOfEvent(booking: Booking, kind: EmailedKind): Booking['cancelled_by'] {
  switch (kind) {
    case 'booking.cancelled':
      return booking.declined_by ?? booking.cancelled_by
    case 'booking.rescheduled':
      return booking.rescheduled_by
    case 'booking.reassigned':
      return booking.reassigned_by
    case 'booking.confirmed':
      // A paid one was confirmed by its payment.
      return booking.payment ? null : booking.approved_by
    default:
      return null
  }
}

type Act = { readonly label: Label; readonly by: Booking['cancelled_by'] }
type Label = 'approvedBy' | 'cancelledBy' | 'declinedBy' | 'reassignedBy' | 'rescheduledBy'

function actOf({ kind, booking, previous }: BookingNews): Act | null {
  if (kind === 'booking.cancelled') {
    return booking.declined_by
      ? { label: 'declinedBy', by: booking.declined_by }
      : { label: 'cancelledBy', by: booking.cancelled_by }
  }
  if (kind === 'booking.confirmed') return { label: 'approvedBy', by: booking.approved_by }
  if (kind === 'booking.reassigned') return { label: 'reassignedBy', by: booking.reassigned_by }
  // A request that was rescheduled is announced as a request.
  return previous ? { label: 'rescheduledBy', by: booking.rescheduled_by } : null
}

function nameOf(emails: Locale['emails'], { type, name }: NonNullable<Act['by']>): string {
  switch (type) {
    case 'invitee':
      return emails.byInvitee
    case 'service':
      return emails.byOperator
    case 'system':
      return emails.automatically
    case 'api_key':
      return fill(emails.byKey, { name: inBody(name ?? '') })
    case 'member':
      return inBody(name ?? '–')
  }
}
