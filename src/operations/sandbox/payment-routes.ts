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
    summary: 'Make a sandbox payment succeed',
    description:
      'As if the provider had reported a live payment. If it is too late, it is refunded. Test mode only.',
    handler: async (ctx, { params }) => {
      assertSandbox(ctx.caller)
      return simulatePayment(ctx, params.id, 'succeed')
    },
  }),
  failTestPayment: defineRoute({
    ...SIMULATE,
    path: '/v1/test-data/payments/:id/fail',
    summary: 'Make a sandbox payment fail',
    description: 'The booking keeps waiting until its deadline. Test mode only.',
    handler: async (ctx, { params }) => {
      assertSandbox(ctx.caller)
      return simulatePayment(ctx, params.id, 'fail')
    },
  }),
  processTestPayment: defineRoute({
    ...SIMULATE,
    path: '/v1/test-data/payments/:id/process',
    summary: 'Make a sandbox payment take days',
    description:
      'As with a payment method that takes days, such as a bank debit. The booking keeps its time until it succeeds or fails. Test mode only.',
    handler: async (ctx, { params }) => {
      assertSandbox(ctx.caller)
      return simulatePayment(ctx, params.id, 'process')
    },
  }),
  disputeTestPayment: defineRoute({
    ...SIMULATE,
    path: '/v1/test-data/payments/:id/dispute',
    summary: 'Dispute a sandbox payment, or end the dispute',
    description:
      'Without a body it is disputed. `inquiry` is only a question; `won` and `lost` end the open dispute, and open one first if necessary; an ended inquiry is `closed`. Test mode only.',
    request: { params: PaymentParams, body: DisputeSimulation },
    handler: async (ctx, { params, body }) => {
      assertSandbox(ctx.caller)
      return simulateDispute(ctx, params.id, body.status)
    },
  }),
})
