import { simulateDispute } from '../../money/payments/disputes/simulate-dispute.ts'
import { DisputeSimulation, Payment, PaymentParams } from '../../money/payments/schema.ts'
import { simulatePayment } from '../../money/payments/simulate-payment.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
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

export const testPaymentRoutes = defineRoutes({
  succeedTestPayment: defineRoute({
    ...SIMULATE,
    path: '/v1/test-data/payments/:id/succeed',
    summary: 'Let a payment of the sandbox succeed',
    description: 'As the provider would tell of a live one. Too late, it is refunded. Test mode only.',
    handler: async (ctx, { params }) => {
      assertSandbox(ctx.caller)
      return simulatePayment(ctx, params.id, 'succeed')
    },
  }),
  failTestPayment: defineRoute({
    ...SIMULATE,
    path: '/v1/test-data/payments/:id/fail',
    summary: 'Let an attempt to pay in the sandbox fail',
    description: 'The booking goes on waiting until its time is up. Test mode only.',
    handler: async (ctx, { params }) => {
      assertSandbox(ctx.caller)
      return simulatePayment(ctx, params.id, 'fail')
    },
  }),
  processTestPayment: defineRoute({
    ...SIMULATE,
    path: '/v1/test-data/payments/:id/process',
    summary: 'Let a payment of the sandbox be under way',
    description:
      'As by a method that takes days, such as a bank debit. The booking keeps its time until it succeeds or fails. Test mode only.',
    handler: async (ctx, { params }) => {
      assertSandbox(ctx.caller)
      return simulatePayment(ctx, params.id, 'process')
    },
  }),
  disputeTestPayment: defineRoute({
    ...SIMULATE,
    path: '/v1/test-data/payments/:id/dispute',
    summary: 'Let a payment of the sandbox be disputed, or a dispute end',
    description:
      'Without a body it is disputed. `inquiry` only asks; `won` and `lost` end the dispute that is open, and open one first where there is none; an inquiry that ends is `closed`. Test mode only.',
    request: { params: PaymentParams, body: DisputeSimulation },
    handler: async (ctx, { params, body }) => {
      assertSandbox(ctx.caller)
      return simulateDispute(ctx, params.id, body.status)
    },
  }),
})
