import type { Booking } from '../booking/bookings/schema.ts'
import { heldUntil } from '../money/payments/new-payment.ts'
import { holdText } from './booking-times.ts'
import type { Offer } from './event-offer.ts'
import type { Page } from './page.ts'
import { returnPath, tokenCookie } from './paid.tsx'
import { html } from './respond.ts'
import { EventDocument } from './views/event-document.tsx'
import { canPay, type Payment, PaymentForm } from './views/payment-form.tsx'

type Payable = Pick<Booking, 'id' | 'start_time' | 'end_time' | 'created_at'> & {
  readonly cancel_token: string
  readonly payment: Payment | null
}

/**
 * The provider's own form for one payment, the only page that loads foreign code. It answers the form that booked, because the
 * secret is returned once; sent again, the same form gives the same booking.
 */
export function paymentPage(page: Page, offer: Offer, booking: Payable, own: string): Response {
  const { texts } = page.locale
  const { id, payment, cancel_token: token } = booking
  const takesPayment = canPay(page, payment)
  const [start, end] = [Date.parse(booking.start_time), Date.parse(booking.end_time)]
  const bookedAt = Date.parse(booking.created_at)
  const headers = takesPayment ? { 'Set-Cookie': tokenCookie(page, id, token) } : {}
  return html(
    page,
    <EventDocument
      page={page}
      offer={offer}
      slot={{ start, end, seatsLeft: null, isFull: false }}
      step={texts.payHeading}
      isPrivate
      {...(takesPayment && { script: 'pay' as const })}
    >
      <div class="pane form">
        <h2 tabIndex={-1} data-focus>
          {texts.payHeading}
        </h2>
        <p>{holdText(page, heldUntil(bookedAt), bookedAt, offer.zone)}</p>
        <PaymentForm
          page={page}
          orgName={offer.orgName}
          payment={payment}
          bookingId={id}
          token={token}
          next={returnPath(page, id)}
        />
        <p class="links">
          <a href={own}>{texts.yourBooking}</a>
        </p>
      </div>
    </EventDocument>,
    { isPrivate: true, isFrameable: true, takesPayment, headers },
  )
}
