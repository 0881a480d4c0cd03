import type { Screen } from '../screen.ts'
import { findPaymentOfBooking, refundPayment, simulatePayment, syncPayment } from './change-payment.ts'
import { buyPlan, cancelPlan, openPortal, resumePlan } from './change-plan.ts'
import { showPayments } from './list.tsx'
import { connectProvider, disconnectProvider, showProvider } from './provider.tsx'
import { showPayment } from './show-payment.tsx'
import { showPlan } from './show-plan.tsx'

const AT = '/console/payments'

export const paymentScreens: readonly Screen[] = [
  { method: 'GET', path: AT, show: showPayments },
  { method: 'GET', path: `${AT}/provider`, show: showProvider },
  { method: 'POST', path: `${AT}/provider`, show: connectProvider },
  { method: 'POST', path: `${AT}/provider/disconnect`, show: disconnectProvider },
  { method: 'GET', path: `${AT}/plan`, show: showPlan },
  { method: 'POST', path: `${AT}/plan/buy`, show: buyPlan },
  { method: 'POST', path: `${AT}/plan/portal`, show: openPortal },
  { method: 'POST', path: `${AT}/plan/cancel`, show: cancelPlan },
  { method: 'POST', path: `${AT}/plan/resume`, show: resumePlan },
  { method: 'GET', path: `${AT}/of/:bookingId`, show: findPaymentOfBooking },
  { method: 'GET', path: `${AT}/:id`, show: showPayment },
  { method: 'POST', path: `${AT}/:id/refund`, show: refundPayment },
  { method: 'POST', path: `${AT}/:id/sync`, show: syncPayment },
  { method: 'POST', path: `${AT}/:id/simulate`, show: simulatePayment },
]
