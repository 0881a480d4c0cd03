import { getBookingForInvitee, type InviteeBooking } from '../booking/bookings/get-for-invitee.ts'
import { moneyText } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import { clocksOf, holdText, momentOn } from './booking-times.ts'
import { isChangeable } from './own-details.ts'
import type { Page, Params } from './page.ts'
import { html } from './respond.ts'
import { BookingDocument } from './views/booking-document.tsx'
import { BookingFacts } from './views/booking-facts.tsx'
import { CalendarLinks, isAgreed } from './views/calendar-links.tsx'
import { CancelForm } from './views/cancel-form.tsx'
import type { Trouble } from './views/details-form.tsx'
import type { IconName } from './views/icon.tsx'
import { Notice } from './views/notice.tsx'
import { isPaymentUnderWay, PayOffer } from './views/pay-offer.tsx'

/** A booking, and what its invitee can do with it. One database round trip. */
export async function showBooking(page: Page, { id = '' }: Params): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  return bookingPage(page, await getBookingForInvitee(page.ctx, id, token), token, {}, '')
}

export function bookingPage(
  page: Page,
  found: InviteeBooking,
  token: string,
  trouble: Trouble,
  reason: string,
  status = 200,
): Response {
  const { booking, eventType, organization } = found
  const { texts } = page.locale
  const { zone } = clocksOf(page, found)
  const isActive = booking.status !== 'cancelled'
  const isPast = Date.parse(booking.end_time) <= found.now
  const canMove = !isPast && found.actions.reschedule.allowed
  const isUnderWay = isPaymentUnderWay(booking)
  const heading = isUnderWay
    ? ({ title: texts.paymentUnderWay, icon: 'wait', tone: 'good' } as const)
    : headingOf(booking.status, isPast, texts)
  const own = `/bookings/${booking.id}`
  const query = `token=${encodeURIComponent(token)}`
  return html(
    page,
    <BookingDocument page={page} found={found} title={heading.title}>
      <Notice {...heading}>
        {page.url.searchParams.has('changed') && <p role="status">{texts.changesSaved}</p>}
        {isUnderWay && <p>{texts.paymentUnderWayText}</p>}
        {booking.status === 'pending_payment' && !isUnderWay && (
          <p>{holdText(page, found.payBy ?? found.now, found.now, zone)}</p>
        )}
      </Notice>
      <BookingFacts page={page} found={found} />
      {booking.status === 'pending_payment' && !isPast && !isUnderWay && (
        <PayOffer page={page} orgName={organization.name} booking={booking} token={token} />
      )}
      {isAgreed(booking) && !isPast && <CalendarLinks page={page} found={found} token={token} />}
      {(canMove || isChangeable(found)) && (
        <p class="links">
          {canMove && (
            <a class="button" href={`${own}/reschedule?${query}`}>
              {texts.reschedule}
            </a>
          )}
          {isChangeable(found) && (
            <a class={canMove ? 'button soft-button' : 'button'} href={`${own}/change?${query}`}>
              {texts.changeDetails}
            </a>
          )}
        </p>
      )}
      {(!isPast || trouble.title !== undefined) && <Notices page={page} found={found} zone={zone} />}
      {!isPast && found.actions.cancel.allowed && (
        <CancelForm
          page={page}
          action={`${own}/cancel`}
          token={token}
          reason={reason}
          trouble={trouble}
          hint={fill(texts.reasonHint, { org: organization.name })}
          effect={refundText(page, found)}
        />
      )}
      {(!isActive || isPast) && eventType.hasPage && (
        <p class="links">
          <a class="button" href={`/book/${organization.slug}/${eventType.slug}`}>
            {texts.bookAgain}
          </a>
        </p>
      )}
    </BookingDocument>,
    { isPrivate: true, status },
  )
}

type NoticesProps = { readonly page: Page; readonly found: InviteeBooking; readonly zone: string }

/** Until when it can be moved and cancelled, or that it is too late for it. */
function Notices({ page, found, zone }: NoticesProps) {
  const { texts } = page.locale
  const { actions, isTooLate, lastMoment, organization } = found
  const until = (text: string, at: number | null) =>
    at === null ? null : fill(text, { time: momentOn(page, at, zone) })
  const tooLate = (text: string) => fill(text, { org: organization.name })
  const lines = [
    isTooLate.reschedule
      ? tooLate(texts.tooLateToMove)
      : actions.reschedule.allowed
        ? until(texts.moveUntil, lastMoment.reschedule)
        : null,
    isTooLate.cancel
      ? tooLate(texts.tooLateToCancel)
      : actions.cancel.allowed
        ? until(texts.cancelUntil, lastMoment.cancel)
        : null,
  ]
  return lines.map(
    (line) =>
      line !== null && (
        <p key={line} class="hint">
          {line}
        </p>
      ),
  )
}

/** What cancelling refunds, shown before the button is pressed; null when nothing was paid. */
function refundText({ locale }: Page, { booking, actions }: InviteeBooking): string | null {
  const amount = actions.cancel.refund_amount
  if (amount === null || booking.payment === null) return null
  if (amount === 0) return locale.texts.noRefundNow
  return fill(locale.texts.refundNow, { amount: moneyText(locale, amount, booking.payment.currency) })
}

type Heading = { title: string; icon: IconName; tone: 'good' | 'plain' }

function headingOf(status: string, isPast: boolean, texts: Page['locale']['texts']): Heading {
  if (status === 'cancelled') return { title: texts.cancelled, icon: 'cross', tone: 'plain' }
  if (isPast) return { title: texts.past, icon: 'clock', tone: 'plain' }
  if (status === 'pending_approval') return { title: texts.awaitingApproval, icon: 'wait', tone: 'plain' }
  if (status === 'pending_payment') return { title: texts.awaitingPayment, icon: 'wait', tone: 'plain' }
  if (status === 'rescheduled') return { title: texts.rescheduled, icon: 'check', tone: 'good' }
  return { title: texts.yourBooking, icon: 'calendar', tone: 'good' }
}
