import { decidableOf } from '../../booking/bookings/approval/may-decide.ts'
import { getAnswers } from '../../booking/bookings/get-answers.ts'
import { bookingRoutes } from '../../booking/bookings/routes.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { Params } from '../../pages/page.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { clientTexts } from '../../platform/i18n/console/clients.ts'
import { seriesTexts } from '../../platform/i18n/console/series.ts'
import { sessionTexts } from '../../platform/i18n/console/sessions.ts'
import { ownSpanText } from '../../platform/i18n/format.ts'
import { callerOf, need, sharedEnv } from '../ask.ts'
import { clientAddress } from '../clients/address.ts'
import type { MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { LostTrouble } from '../views/lost-trouble.tsx'
import { shell } from '../views/shell.tsx'
import { AttendanceForm, DecideForms } from './approval-forms.tsx'
import { BookingFacts } from './booking-facts.tsx'
import { CalendarEventForm } from './calendar-event.tsx'
import { CancelForm, RefundForm } from './change-forms.tsx'
import { doneIn } from './done.ts'
import { HistoryPart, loadHistory } from './history.tsx'
import { LinkAndEmails } from './link-and-emails.tsx'
import { OtherBookings } from './other-bookings.tsx'
import type { Shown } from './shown-booking.ts'
import { StatusBadge } from './status-badge.tsx'

export async function loadBooking(request: MemberRequest, id: string): Promise<Shown> {
  const env = sharedEnv(request)
  const [booking, told, decidable, history] = await Promise.all([
    need(request, bookingRoutes.getBooking, { params: { id } }),
    getAnswers(env, request, id),
    decidableOf(env, callerOf(request), [id]),
    loadHistory(request, id),
  ])
  return { ...booking, told, mayDecide: decidable.has(id), history }
}

/** One booking, and what can be done with it. Emails link to it. */
export async function showBooking(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return bookingPage(request, await loadBooking(request, id), {}, 200)
}

/** Whether it was cancelled before it began, or because nobody paid: then it has no attendance. */
function isCancelledEarly({ cancelled_at, payment }: Shown, start: number): boolean {
  return cancelled_at !== null && (Date.parse(cancelled_at) < start || payment?.status === 'cancelled')
}

const WHICH = ['cancel', 'refund', 'decide', 'attendance', 'emails', 'event'] as const
/** What went wrong with which of its forms. */
type Troubles = Readonly<Partial<Record<(typeof WHICH)[number], Trouble>>>

export function bookingPage(
  request: MemberRequest,
  booking: Shown,
  troubles: Troubles,
  status: number,
): Response {
  const { page, member, zone } = request
  const { locale } = page
  const texts = textsOf(locale, bookingsTexts)
  const { allowed_actions: actions } = booking
  const mayChange = isRolePermitted(member.role, 'book')
  const canRefund =
    isRolePermitted(member.role, 'administer') &&
    booking.payment !== null &&
    ['succeeded', 'partially_refunded'].includes(booking.payment.status)
  const start = Date.parse(booking.start_time)
  const isRequest = booking.status === 'pending_approval'
  const hasBegun = start <= request.now && !isRequest && !isCancelledEarly(booking, start)
  const mayEdit = mayChange && booking.status !== 'cancelled' && Date.parse(booking.end_time) > request.now
  const changeTexts = textsOf(locale, bookingChangeTexts)
  const forms = {
    decide: booking.mayDecide && isRequest,
    attendance: mayChange && hasBegun,
    cancel: mayChange && !isRequest && actions.cancel.allowed,
    refund: canRefund,
    emails: mayEdit,
    event: mayEdit && booking.out_of_sync !== null,
  }
  const lost = WHICH.filter((which) => !forms[which]).flatMap((which) => troubles[which] ?? [])[0]
  const duration = Math.round((Date.parse(booking.end_time) - start) / MINUTE_MS)
  const isPast = Date.parse(booking.end_time) <= request.now
  const mayMove = mayChange && actions.reschedule.allowed
  const move = `/console/bookings/${booking.id}/move?type=${booking.event_type_id}&duration=${duration}`
  return shell({
    request,
    title: booking.invitee_name,
    lead: `${booking.event_type.title} · ${ownSpanText(locale, start, Date.parse(booking.end_time), zone)}`,
    back: { to: '/console/bookings', text: texts.title },
    done: doneIn(request, booking.status),
    status,
    actions: (
      <>
        <StatusBadge request={request} booking={booking} />
        {booking.session_id && booking.status !== 'cancelled' && (
          <a class="button soft-button" href={`/console/bookings/sessions/${booking.session_id}`}>
            {textsOf(locale, sessionTexts).whole}
          </a>
        )}
        {booking.series_id && (
          <a class="button soft-button" href={`/console/bookings/series/${booking.series_id}`}>
            {textsOf(locale, seriesTexts).whole}
          </a>
        )}
        {(booking.invitee_email || booking.invitee_phone) && (
          <a
            class="button soft-button"
            href={clientAddress({ email: booking.invitee_email || null, phone: booking.invitee_phone })}
          >
            {textsOf(locale, clientTexts).about}
          </a>
        )}
        {mayEdit && (
          <a class="button soft-button" href={`/console/bookings/${booking.id}/edit`}>
            {changeTexts.edit}
          </a>
        )}
        {mayEdit && (booking.assigned_host || booking.needs_host) && (
          <a
            class="button soft-button"
            href={`/console/bookings/${booking.id}/hand-over?type=${booking.event_type_id}`}
          >
            {changeTexts.handOver}
          </a>
        )}
        {mayMove && !isPast && (
          <a class="button" href={move}>
            {texts.move}
          </a>
        )}
      </>
    ),
    children: (
      <>
        <LostTrouble trouble={lost} />
        <div class="main-and-aside">
          <section class="panel" aria-label={texts.what}>
            <BookingFacts request={request} booking={booking} />
          </section>
          <div class="part">
            {forms.event && (
              <CalendarEventForm request={request} booking={booking} trouble={troubles.event} />
            )}
            {forms.decide && <DecideForms request={request} booking={booking} trouble={troubles.decide} />}
            {forms.attendance && (
              <AttendanceForm request={request} booking={booking} trouble={troubles.attendance} />
            )}
            {forms.emails && <LinkAndEmails request={request} booking={booking} trouble={troubles.emails} />}
            {forms.refund && booking.payment && (
              <RefundForm
                request={request}
                action={`/console/bookings/${booking.id}/refund`}
                currency={booking.payment.currency}
                trouble={troubles.refund}
              />
            )}
            {mayMove && isPast && (
              <p>
                <a href={move}>{texts.move}</a>
              </p>
            )}
            {forms.cancel && <CancelForm request={request} booking={booking} trouble={troubles.cancel} />}
          </div>
        </div>
        <OtherBookings request={request} booking={booking} />
        <HistoryPart request={request} booking={booking} history={booking.history} />
      </>
    ),
  })
}
