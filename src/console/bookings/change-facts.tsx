import type { BookingDetail } from '../../booking/bookings/schema.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import { byWhom } from './by-whom.ts'
import type { Fact } from './facts.tsx'

/** How to call the invitee, who comes along, and whether a host is missing. */
export function peopleFacts(locale: Locale, booking: BookingDetail): readonly Fact[] {
  const texts = textsOf(locale, bookingChangeTexts)
  const { invitee_phone: phone, guests } = booking
  return [
    phone && [
      texts.phone,
      <a key="phone" href={`tel:${phone}`}>
        <bdi>{phone}</bdi>
      </a>,
    ],
    guests.length > 0 && [
      texts.guests,
      <ul key="guests">
        {guests.map(({ id, name, email }) => (
          <li key={id}>
            {name && <bdi>{name}</bdi>} <bdi class="soft">{email}</bdi>
          </li>
        ))}
      </ul>,
    ],
    booking.needs_host && [
      textsOf(locale, bookingsTexts).host,
      <span key="needs-host" class="badge warn">
        {texts.needsHost}
      </span>,
    ],
  ]
}

/** The rules that were set aside, and who changed it. */
export function changeFacts(locale: Locale, booking: BookingDetail): readonly Fact[] {
  const texts = textsOf(locale, bookingChangeTexts)
  const acts = [
    [texts.approvedBy, booking.approved_by],
    [texts.declinedBy, booking.declined_by],
    [texts.rescheduledBy, booking.rescheduled_by],
    [texts.reassignedBy, booking.reassigned_by],
    [texts.cancelledBy, booking.cancelled_by],
  ] as const
  return [
    booking.overridden.length > 0 && [
      texts.overridden,
      booking.overridden.map((rule) => texts[`set_${rule}`]).join(', '),
    ],
    ...acts.map(([name, actor]): Fact => actor && [name, <bdi key={name}>{byWhom(locale, actor)}</bdi>]),
  ]
}
