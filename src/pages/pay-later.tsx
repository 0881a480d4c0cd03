import { Refused } from '../http/errors.ts'
import { getBookingForInvitee } from '../resources/bookings/get-for-invitee.ts'
import { paymentRoutes } from '../resources/payments/routes.ts'
import type { BookingPayment } from '../resources/payments/schema.ts'
import { ask } from './ask.ts'
import { zoneOfInvitee } from './format.ts'
import type { Page, Params } from './page.ts'
import { readForm } from './read-form.ts'
import { html, seeOther } from './respond.ts'
import { BookingDocument } from './views/booking-document.tsx'
import { BookingFacts } from './views/booking-facts.tsx'
import { canPay, PaymentForm } from './views/payment-form.tsx'

/** For who comes back to pay, or was promoted from a waitlist. */
export async function payBooking(page: Page, { id = '' }: Params): Promise<Response> {
  const token = (await readForm(page)).get('token') ?? ''
  const found = await getBookingForInvitee(page.ctx, id, token)
  const { booking, eventType, organization } = found
  const query = `token=${encodeURIComponent(token)}`
  const own = `/bookings/${booking.id}?${query}`
  if (booking.status !== 'pending_payment') return seeOther(page, own)

  const asked = await ask<BookingPayment>(page.ctx, paymentRoutes, 'getBookingPayment', {
    params: { id: booking.id },
    query: { token },
  })
  if (!asked.ok) throw new Refused(asked.refusal)
  const takesPayment = canPay(page, asked.body)
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
      <p>{texts.awaitingPaymentText}</p>
      <BookingFacts page={page} found={found} zone={zoneOfInvitee(page, booking.invitee_timezone)} />
      <PaymentForm
        page={page}
        orgName={organization.name}
        payment={asked.body}
        next={`/book/${organization.slug}/${eventType.slug}/booked/${booking.id}?${query}`}
      />
      <p class="links">
        <a href={own}>{texts.yourBooking}</a>
      </p>
    </BookingDocument>,
    { isPrivate: true, takesPayment },
  )
}
