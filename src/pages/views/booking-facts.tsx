import type { InviteeBooking } from '../../booking/bookings/get-for-invitee.ts'
import { phoneLines } from '../../booking/bookings/meeting-facts.ts'
import { durationText, fullDayText, moneyText, spanText, zoneText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { clocksOf } from '../booking-times.ts'
import type { Page } from '../page.ts'
import { mapLink } from '../place.ts'
import { answerFacts } from './answer-facts.tsx'
import { Facts } from './facts.tsx'
import { Hosts } from './hosts.tsx'
import { OtherClock } from './other-clock.tsx'
import { Place } from './place.tsx'
import { RefundTerms } from './refund-terms.tsx'
import { Who } from './who.tsx'

type Props = { readonly page: Page; readonly found: InviteeBooking }

/** All that an invitee wants to know about a booking. */
export function BookingFacts({ page, found }: Props) {
  const { locale } = page
  const { texts } = locale
  const { booking, eventType, organization } = found
  const [start, end] = [Date.parse(booking.start_time), Date.parse(booking.end_time)]
  const { payment, location, conferencing_url: call } = booking
  const guests = booking.guests.filter(({ email }) => email !== '')
  const isOver = booking.status === 'cancelled'
  const clocks = clocksOf(page, found)
  const { zone } = clocks
  const { place } = booking
  const meeting = { conferencing_provider: place?.kind ?? eventType.conferencingProvider, location }
  const phone = phoneLines(locale, place)
  return (
    <Facts
      facts={[
        {
          icon: 'calendar',
          label: texts.what,
          text: (
            <strong>
              <bdi>{eventType.title}</bdi> · <bdi>{organization.name}</bdi>
            </strong>
          ),
        },
        found.hosts.length > 0
          ? {
              icon: 'person',
              label: locale.emails.with,
              text: <Hosts page={page} hosts={found.hosts} />,
            }
          : null,
        {
          icon: 'clock',
          label: texts.when,
          text: (
            <span class={isOver ? 'struck' : undefined}>
              <strong>{fullDayText(locale, start, zone)}</strong>
              <br />
              {spanText(locale, start, end, zone)} ({durationText(locale, start, end)})
              <OtherClock page={page} offer={clocks} slot={{ start, end }} />
            </span>
          ),
        },
        { icon: 'globe', label: texts.timeZone, text: zoneText(locale, start, zone) },
        location
          ? {
              icon: 'place',
              label: texts.where,
              text: (
                <>
                  {place?.label && <bdi>{place.label}</bdi>}{' '}
                  <Place page={page} location={location} map={mapLink(meeting)} />
                </>
              ),
            }
          : null,
        phone && {
          icon: 'place',
          label: texts.where,
          text: <bdi>{[...(place?.label ? [place.label] : []), ...phone].join(' · ')}</bdi>,
        },
        call && !isOver
          ? {
              icon: 'video',
              label: texts.videoCall,
              text: (
                <a href={call} rel="noreferrer noopener" target="_blank">
                  {texts.joinLink}
                </a>
              ),
            }
          : null,
        payment
          ? {
              icon: 'price',
              label: texts.price,
              text: [
                moneyText(locale, payment.amount, payment.currency),
                ...(payment.status === 'succeeded' ? [texts.paid] : []),
              ].join(' · '),
            }
          : null,
        payment && booking.status === 'pending_payment'
          ? {
              icon: 'price',
              label: texts.ifYouCancel,
              text: (
                <RefundTerms page={page} steps={found.refundSteps} currency={payment.currency} zone={zone} />
              ),
            }
          : null,
        payment && isOver && found.givenBack > 0
          ? {
              icon: 'price',
              label: texts.price,
              text: fill(texts.refundGiven, {
                amount: moneyText(locale, found.givenBack, payment.currency),
              }),
            }
          : null,
        {
          icon: 'person',
          label: texts.who,
          text: <Who page={page} name={booking.invitee_name} email={booking.invitee_email ?? ''} />,
        },
        guests.length > 0
          ? {
              icon: 'person',
              label: texts.company,
              text: guests.map(({ id, name, email }) => (
                <div key={id}>
                  <bdi>{name ?? email}</bdi>
                </div>
              )),
            }
          : null,
        ...answerFacts(locale, found.answers),
        booking.notes
          ? { icon: 'note', label: texts.notes, text: <span class="pre">{booking.notes}</span> }
          : null,
        booking.cancel_reason
          ? { icon: 'note', label: texts.reasonGiven, text: <span class="pre">{booking.cancel_reason}</span> }
          : null,
      ]}
    />
  )
}
