import type { ComponentChildren } from 'preact'
import { isRolePermitted } from '../../auth/policy.ts'
import { bookingsTexts } from '../../i18n/console/bookings.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import {
  fullDayText,
  moneyText,
  shortMomentText,
  shortSpanText,
  spanText,
  subjectDateText,
} from '../../i18n/format.ts'
import type { Params } from '../../pages/page.ts'
import { bookingRoutes } from '../../resources/bookings/routes.ts'
import type { BookingDetail } from '../../resources/bookings/schema.ts'
import { MINUTE_MS } from '../../scheduling/time-units.ts'
import { need } from '../ask.ts'
import type { Trouble } from '../told.ts'
import { shell } from '../views/shell.tsx'
import type { Visit } from '../visit.ts'
import { CancelForm, RefundForm } from './change-forms.tsx'
import { doneIn } from './done.ts'
import { StatusBadge } from './status-badge.tsx'

export function loadBooking(visit: Visit, id: string): Promise<BookingDetail> {
  return need<BookingDetail>(visit, bookingRoutes, 'getBooking', { params: { id } })
}

/** One booking, and what can be done with it. Letters lead here. */
export async function showBooking(visit: Visit, { id = '' }: Params): Promise<Response> {
  return bookingPage(visit, await loadBooking(visit, id), {}, 200)
}

/** What went wrong with which of its forms. */
type Troubles = { readonly cancel?: Trouble; readonly refund?: Trouble }

export function bookingPage(
  visit: Visit,
  booking: BookingDetail,
  troubles: Troubles,
  status: number,
): Response {
  const { page, member, zone } = visit
  const { locale } = page
  const texts = textsOf(locale, bookingsTexts)
  const { allowed_actions: actions } = booking
  const mayChange = isRolePermitted(member.role, 'book')
  const canRefund =
    isRolePermitted(member.role, 'administer') &&
    booking.payment !== null &&
    ['succeeded', 'partially_refunded'].includes(booking.payment.status)
  const start = Date.parse(booking.start_time)
  const duration = Math.round((Date.parse(booking.end_time) - start) / MINUTE_MS)
  const move = `/console/bookings/${booking.id}/move?type=${booking.event_type_id}&duration=${duration}`
  return shell({
    visit,
    title: booking.invitee_name,
    lead: `${booking.event_type.title} · ${shortSpanText(locale, start, Date.parse(booking.end_time), zone)}`,
    back: { to: '/console/bookings', text: texts.title },
    done: doneIn(visit),
    status,
    actions: (
      <>
        <StatusBadge visit={visit} booking={booking} />
        {mayChange && actions.reschedule.allowed && (
          <a class="button" href={move}>
            {texts.move}
          </a>
        )}
      </>
    ),
    children: (
      <div class="main-and-aside">
        <section class="panel" aria-label={texts.what}>
          <Facts visit={visit} booking={booking} />
        </section>
        <div class="part">
          {mayChange && actions.cancel.allowed && (
            <CancelForm visit={visit} booking={booking} trouble={troubles.cancel} />
          )}
          {canRefund && <RefundForm visit={visit} booking={booking} trouble={troubles.refund} />}
        </div>
      </div>
    ),
  })
}

function Facts({ visit, booking }: { readonly visit: Visit; readonly booking: BookingDetail }) {
  const { page, zone } = visit
  const { locale } = page
  const texts = textsOf(locale, bookingsTexts)
  const [start, end] = [Date.parse(booking.start_time), Date.parse(booking.end_time)]
  const moment = (at: string) => shortMomentText(locale, Date.parse(at), zone)
  const { payment, assigned_host: host, previous_start_time: before } = booking
  const facts: readonly (readonly [string, ComponentChildren] | null | '')[] = [
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
        <br />
        <a href={`mailto:${booking.invitee_email}`}>
          <bdi>{booking.invitee_email}</bdi>
        </a>
      </>,
    ],
    booking.attendees.length < 2
      ? null
      : [
          texts.attendees,
          <ul key="attendees">
            {booking.attendees.map(({ id, name, email }) => (
              <li key={id}>
                <bdi>{name}</bdi> <bdi class="soft">{email}</bdi>
              </li>
            ))}
          </ul>,
        ],
    host && [texts.host, <bdi key="host">{host.email || host.user_id}</bdi>],
    booking.location && [texts.where, <bdi key="where">{booking.location}</bdi>],
    booking.conferencing_url && [
      texts.where,
      <a key="link" href={booking.conferencing_url} rel="noopener noreferrer" target="_blank">
        {texts.join}
        <span class="unseen"> ({locale.texts.opensNewTab})</span>
      </a>,
    ],
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
    booking.cancel_reason && [
      texts.reason,
      <span key="reason" class="pre" dir="auto">
        {booking.cancel_reason}
      </span>,
    ],
    booking.sync_error && [texts.calendarProblem, booking.sync_error],
    Object.keys(booking.metadata).length === 0
      ? null
      : [texts.metadata, <pre key="metadata">{JSON.stringify(booking.metadata, null, 2)}</pre>],
    [texts.bookedAt, subjectDateText(locale, Date.parse(booking.created_at), zone)],
    [texts.bookingId, <code key="id">{booking.id}</code>],
  ]
  return (
    <dl class="pairs">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
