import { placeName } from '../../pages/place-name.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { consoleLanguage, textsOf } from '../../platform/i18n/console/catalogue.ts'
import { roomTexts } from '../../platform/i18n/console/rooms.ts'
import {
  fullDayText,
  moneyText,
  ownShortMomentText,
  shortSpanText,
  spanText,
  subjectDateText,
} from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { changeFacts, peopleFacts } from './change-facts.tsx'
import { AnswerText, type Fact, Facts } from './facts.tsx'
import { namesOf } from './names-of.ts'
import type { Shown } from './shown-booking.ts'

/** All that is known of a booking. */
export function BookingFacts({
  request,
  booking,
}: {
  readonly request: MemberRequest
  readonly booking: Shown
}) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, bookingsTexts)
  const [start, end] = [Date.parse(booking.start_time), Date.parse(booking.end_time)]
  const moment = (at: string) => ownShortMomentText(locale, Date.parse(at), zone)
  const { payment, hosts, previous_start_time: before } = booking
  const own = textsOf(locale, bookingFormTexts)
  const roomTextsOf = textsOf(locale, roomTexts)
  const isAlone = booking.attendees.length < 2
  const facts: readonly Fact[] = [
    [
      texts.when,
      <>
        {fullDayText(locale, start, zone)}
        <br />
        {spanText(locale, start, end, zone)}
      </>,
    ],
    booking.invitee_timezone === zone
      ? null
      : [texts.theirTime, shortSpanText(locale, start, end, booking.invitee_timezone)],
    before && [texts.previously, <s key="before">{moment(before)}</s>],
    [
      texts.invitee,
      <>
        <bdi>{booking.invitee_name}</bdi>
        {booking.invitee_email && (
          <>
            <br />
            <a href={`mailto:${encodeURIComponent(booking.invitee_email)}`}>
              <bdi>{booking.invitee_email}</bdi>
            </a>
          </>
        )}
        {isAlone && booking.attendees[0]?.no_show && (
          <>
            <br />
            <span class="badge warn">{own.noShow}</span>
          </>
        )}
      </>,
    ],
    isAlone
      ? null
      : [
          texts.attendees,
          <ul key="attendees">
            {booking.attendees.map(({ id, name, email, no_show }) => (
              <li key={id}>
                <bdi>{name}</bdi> <bdi class="soft">{email}</bdi>{' '}
                {no_show && <span class="badge warn">{own.noShow}</span>}
              </li>
            ))}
          </ul>,
        ],
    ...peopleFacts(locale, booking),
    hosts.length > 0 && [texts.host, <bdi key="host">{namesOf(hosts)}</bdi>],
    booking.resources.length === 0
      ? null
      : [
          roomTextsOf.rooms,
          <ul key="rooms">
            {booking.resources.map(({ id, name, unit }) => (
              <li key={`${id}-${unit}`}>
                <a href={`/console/rooms/${id}`}>{fill(roomTextsOf.unit, { name, n: unit })}</a>
              </li>
            ))}
          </ul>,
        ],
    booking.host_absent && [own.attendance, own.nobodyHosted],
    booking.place && [texts.where, <bdi key="place">{placeName(locale.texts, booking.place)}</bdi>],
    booking.place?.kind === 'phone_in' && [texts.where, <bdi key="number">{booking.place.value}</bdi>],
    booking.location && [texts.where, <bdi key="where">{booking.location}</bdi>],
    booking.conferencing_url && [
      texts.where,
      <a key="link" href={booking.conferencing_url} rel="noopener noreferrer" target="_blank">
        {texts.join}
        <span class="unseen"> ({locale.texts.opensNewTab})</span>
      </a>,
    ],
    ...booking.told.map(
      ({ key, label, value }) => [label, <AnswerText key={key} locale={locale} value={value} />] as const,
    ),
    booking.notes && [
      texts.notes,
      <span key="notes" class="pre" dir="auto">
        {booking.notes}
      </span>,
    ],
    payment && [
      texts.payment,
      <>
        {moneyText(locale, payment.amount, payment.currency)},{' '}
        <a href={`/console/payments/${payment.id}`}>{texts[`pay_${payment.status}`]}</a>
      </>,
    ],
    booking.cancelled_at && [texts.cancelledAt, moment(booking.cancelled_at)],
    ...changeFacts(locale, booking),
    booking.cancel_reason && [
      texts.reason,
      <span key="reason" class="pre" dir="auto">
        {booking.cancel_reason}
      </span>,
    ],
    booking.sync_error && [
      texts.calendarProblem,
      consoleLanguage(locale.language) === 'en' ? booking.sync_error : texts.notWritten,
    ],
    Object.keys(booking.metadata).length === 0
      ? null
      : [texts.metadata, <pre key="metadata">{JSON.stringify(booking.metadata, null, 2)}</pre>],
    [texts.bookedAt, subjectDateText(locale, Date.parse(booking.created_at), zone)],
    [texts.bookingId, <code key="id">{booking.id}</code>],
  ]
  return <Facts facts={facts} />
}
