import { paymentRoutes } from '../../money/payments/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { minorAmount } from '../../platform/i18n/format.ts'
import { ask } from '../ask.ts'
import { orNull } from '../form.ts'
import { refundTrouble } from '../payments/refund-trouble.ts'
import type { MemberRequest } from '../request.ts'
import { bookingPage, loadBooking } from './show-booking.tsx'

/** Gives money back: so much, or all that is left. */
export async function refundFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const booking = await loadBooking(request, id)
  const { payment } = booking
  if (!payment) return seeOther(page, `/console/bookings/${id}`)
  const typed = form.get('amount') ?? ''
  const amount = typed === '' ? undefined : minorAmount(typed, payment.currency)
  if (amount === null || amount === 0) {
    const { needAmount } = textsOf(page.locale, bookingsTexts)
    return bookingPage(request, booking, { refund: { fields: { amount: needAmount } } }, 422)
  }
  const asked = await ask(request, paymentRoutes.refundPayment, {
    params: { id: payment.id },
    body: { ...(amount !== undefined && { amount }), reason: orNull(form, 'refund_reason') },
  })
  if (asked.ok) return seeOther(page, `/console/bookings/${id}?done=refunded`)
  const trouble = refundTrouble(page.locale, asked.refusal, payment.currency)
  return bookingPage(request, booking, { refund: trouble }, formStatus(asked.refusal))
}
