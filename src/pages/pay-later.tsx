import { getBookingForInvitee } from '../booking/bookings/get-for-invitee.ts'
import { bookingPaymentRoutes } from '../booking/bookings/payment-routes.ts'
import { Refused } from '../platform/http/errors.ts'
import { ask } from './ask.ts'
import { clocksOf, holdText } from './booking-times.ts'
import type { Page, Params } from './page.ts'
import { returnPath, tokenCookie } from './paid.tsx'
import { readForm } from './read-form.ts'
import { html, seeOther } from './respond.ts'
import { BookingDocument } from './views/booking-document.tsx'
import { BookingFacts } from './views/booking-facts.tsx'
import { isPaymentUnderWay } from './views/pay-offer.tsx'
import { canPay, PaymentForm } from './views/payment-form.tsx'

/** For an invitee who comes back to pay, or was promoted from a waitlist. */
export async function payBooking(page: Page, { id = '' }: Params): Promise<Response> {
  const token = (await readForm(page)).get('token') ?? ''
  const found = await getBookingForInvitee(page.ctx, id, token)
  const { booking, organization } = found
  const query = `token=${encodeURIComponent(token)}`
  const own = `/bookings/${booking.id}?${query}`
  if (booking.status !== 'pending_payment' || isPaymentUnderWay(booking)) return seeOther(page, own)

  const asked = await ask(page.ctx, bookingPaymentRoutes.getBookingPayment, {
    params: { id: booking.id },
    query: { token },
  })
  // The booking stays while the provider is down; only its secret is missing.
  if (!asked.ok && asked.refusal.code !== 'bad_gateway') throw new Refused(asked.refusal)
  const payment = asked.ok ? asked.body : booking.payment
  const takesPayment = canPay(page, payment)
  const { zone } = clocksOf(page, found)
  const { texts } = page.locale
  return html(
    page,
    <BookingDocument
      page={page}
      found={found}
      title={texts.payHeading}
      {...(takesPayment && { script: 'pay' as const })}
    >
      <h1 tabIndex={-1} data-focus>
        {texts.payHeading}
      </h1>
      <p>{holdText(page, found.payBy ?? found.now, found.now, zone)}</p>
      <BookingFacts page={page} found={found} />
      <PaymentForm
        page={page}
        orgName={organization.name}
        payment={payment}
        bookingId={booking.id}
        token={token}
        next={returnPath(page, booking.id)}
      />
      <p class="links">
        <a href={own}>{texts.yourBooking}</a>
      </p>
    </BookingDocument>,
    {
      isPrivate: true,
      takesPayment,
      status: asked.ok ? 200 : 502,
      ...(takesPayment && { headers: { 'Set-Cookie': tokenCookie(page, booking.id, token) } }),
    },
  )
}
