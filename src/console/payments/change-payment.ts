import { bookingPaymentRoutes } from '../../booking/bookings/payment-routes.ts'
import { paymentRoutes } from '../../money/payments/routes.ts'
import { testPaymentRoutes } from '../../operations/sandbox/payment-routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { notFound } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { minorAmount } from '../../platform/i18n/format.ts'
import { ask, need } from '../ask.ts'
import { orNull } from '../form.ts'
import type { MemberRequest } from '../request.ts'
import { troubleOf } from '../trouble.ts'
import { refundTrouble } from './refund-trouble.ts'
import { paymentPage } from './show-payment.tsx'

/** Gives money back: so much, or all that is left. */
export async function refundPayment(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const typed = form.get('amount') ?? ''
  const { currency } = await need(request, paymentRoutes.getPayment, { params: { id } })
  const amount = typed === '' ? undefined : minorAmount(typed, currency)
  if (amount === null || amount === 0) {
    const { needAmount } = textsOf(page.locale, bookingsTexts)
    return paymentPage(request, id, { refund: { fields: { amount: needAmount } } }, 422)
  }
  const asked = await ask(request, paymentRoutes.refundPayment, {
    params: { id },
    body: { ...(amount !== undefined && { amount }), reason: orNull(form, 'refund_reason') },
  })
  if (asked.ok) return seeOther(page, `/console/payments/${id}?done=refunded`)
  const trouble = refundTrouble(page.locale, asked.refusal, currency)
  return paymentPage(request, id, { refund: trouble }, formStatus(asked.refusal))
}

/** Makes the payment agree with its provider. */
export async function syncPayment(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page } = request
  const asked = await ask(request, paymentRoutes.syncPayment, { params: { id } })
  if (asked.ok) return seeOther(page, `/console/payments/${id}?done=synced`)
  return paymentPage(request, id, { sync: troubleOf(page.locale, asked.refusal) }, formStatus(asked.refusal))
}

const ACTS = {
  succeed: testPaymentRoutes.succeedTestPayment,
  fail: testPaymentRoutes.failTestPayment,
  process: testPaymentRoutes.processTestPayment,
  dispute: testPaymentRoutes.disputeTestPayment,
} as const

/** Lets happen to test data what a payer or a bank would do. */
export async function simulatePayment(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { form, page } = request
  const act = form.get('act') ?? ''
  if (!Object.hasOwn(ACTS, act)) throw notFound('payment')
  const asked = await ask(request, ACTS[act as keyof typeof ACTS], { params: { id } })
  if (asked.ok) return seeOther(page, `/console/payments/${id}?done=simulated`)
  return paymentPage(request, id, { sync: troubleOf(page.locale, asked.refusal) }, formStatus(asked.refusal))
}

/** The payment of a booking, where only the booking is known. */
export async function findPaymentOfBooking(
  request: MemberRequest,
  { bookingId = '' }: Params,
): Promise<Response> {
  const { id } = await need(request, bookingPaymentRoutes.getBookingPayment, {
    params: { id: bookingId },
  })
  return seeOther(request.page, `/console/payments/${id}`)
}
