import { defineRoute } from '../../http/route.ts'
import { Payment, PaymentParams } from '../payments/schema.ts'
import { simulatePayment } from '../payments/simulate-payment.ts'
import { assertSandbox } from './assert-sandbox.ts'

const SIMULATE = {
  auth: 'key',
  limit: 'counted',
  method: 'POST',
  tag: 'Test Data',
  permission: 'administer',
  scope: 'mode',
  request: { params: PaymentParams },
  response: { status: 200, body: Payment },
  errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
} as const

export const testPaymentRoutes = [
  defineRoute({
    ...SIMULATE,
    path: '/v1/test-data/payments/:id/succeed',
    operationId: 'succeedTestPayment',
    summary: 'Let a payment of the sandbox succeed',
    description: 'As the provider would tell of a live one. Too late, it is refunded. Test mode only.',
    handler: async (ctx, { params }) => {
      assertSandbox(ctx.caller)
      return simulatePayment(ctx, params.id, 'succeed')
    },
  }),
  defineRoute({
    ...SIMULATE,
    path: '/v1/test-data/payments/:id/fail',
    operationId: 'failTestPayment',
    summary: 'Let an attempt to pay in the sandbox fail',
    description: 'The booking goes on waiting until its time is up. Test mode only.',
    handler: async (ctx, { params }) => {
      assertSandbox(ctx.caller)
      return simulatePayment(ctx, params.id, 'fail')
    },
  }),
]
