import { getBookingForInvitee } from '../booking/bookings/get-for-invitee.ts'
import { fill } from '../platform/i18n/plural.ts'
import { clocksOf, holdText } from './booking-times.ts'
import { leadOn } from './lead-on.ts'
import type { Page, Params } from './page.ts'
import { html } from './respond.ts'
import { BookingDocument } from './views/booking-document.tsx'
import { BookingFacts } from './views/booking-facts.tsx'
import { CalendarLinks, isAgreed } from './views/calendar-links.tsx'
import { Notice } from './views/notice.tsx'
import { isPaymentUnderWay, PayOffer } from './views/pay-offer.tsx'

/** Where booking leads. It only shows, so it may be in a frame like the page before it. */
export async function showBooked(page: Page, { id = '' }: Params): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  const found = await getBookingForInvitee(page.ctx, id, token)
  const { texts } = page.locale
  const { booking } = found
  const { zone } = clocksOf(page, found)
  // The provider sends people back before its event reaches us.
  const isUnderWay = isPaymentUnderWay(booking)
  const isPaying =
    booking.status === 'pending_payment' &&
    !isUnderWay &&
    page.url.searchParams.get('redirect_status') === 'succeeded'
  const held = holdText(page, found.payBy ?? found.now, found.now, zone)
  const ending = isUnderWay
    ? underWay(texts)
    : isPaying
      ? arriving(texts)
      : endingOf(booking.status, texts, held)
  const text = fill(ending.text, { email: booking.invitee_email ?? '' })
  const leadsTo = leadOn(page, found) ?? undefined
  return html(
    page,
    <BookingDocument
      page={page}
      found={found}
      title={ending.title}
      leadsTo={leadsTo}
      data={{ ...newsOf(found), ...(isPaying && { 'data-refresh': '' }) }}
    >
      <Notice title={ending.title} icon={ending.icon} tone={ending.tone}>
        {text && <p>{text}</p>}
        {leadsTo && (
          <p>
            {fill(texts.leadsOn, { host: new URL(leadsTo).host })}{' '}
            <a href={leadsTo} rel="noreferrer" target={page.isEmbedded ? '_top' : undefined}>
              {texts.goOn}
            </a>
          </p>
        )}
      </Notice>
      <BookingFacts page={page} found={found} />
      {booking.status === 'pending_payment' && !isPaying && !isUnderWay && (
        <PayOffer page={page} orgName={found.organization.name} booking={booking} token={token} />
      )}
      {isAgreed(booking) && <CalendarLinks page={page} found={found} token={token} />}
      <p class="links">
        <a
          href={`/bookings/${booking.id}?token=${encodeURIComponent(token)}`}
          target={page.isEmbedded ? '_blank' : undefined}
          rel="noreferrer"
        >
          {texts.manageBooking}
        </a>
      </p>
    </BookingDocument>,
    { isPrivate: true, isFrameable: true },
  )
}

function arriving(texts: Page['locale']['texts']): Ending {
  return { title: texts.paymentArrived, text: texts.paymentArrivedText, icon: 'wait', tone: 'good' }
}

function underWay(texts: Page['locale']['texts']): Ending {
  return { title: texts.paymentUnderWay, text: texts.paymentUnderWayText, icon: 'wait', tone: 'good' }
}

type Ending = { title: string; text: string; icon: 'check' | 'wait' | 'cross'; tone: 'good' | 'plain' }

function endingOf(status: string, texts: Page['locale']['texts'], held: string): Ending {
  if (status === 'cancelled') return { title: texts.cancelled, text: '', icon: 'cross', tone: 'plain' }
  if (status === 'pending_approval') {
    return { title: texts.awaitingApproval, text: texts.awaitingApprovalText, icon: 'wait', tone: 'plain' }
  }
  if (status === 'pending_payment') {
    return { title: texts.awaitingPayment, text: held, icon: 'wait', tone: 'plain' }
  }
  return { title: texts.confirmed, text: texts.confirmedText, icon: 'check', tone: 'good' }
}

type Found = Awaited<ReturnType<typeof getBookingForInvitee>>

/** What the embedding site gets about a booking: no token and no name. */
function newsOf({ booking, eventType }: Found): Readonly<Record<`data-${string}`, string>> {
  return {
    'data-booked': JSON.stringify({
      id: booking.id,
      status: booking.status,
      start_time: booking.start_time,
      end_time: booking.end_time,
      event_type: { id: booking.event_type_id, slug: eventType.slug, title: eventType.title },
    }),
  }
}
