import { openDb } from '../../platform/db/client.ts'
import { notFound } from '../../platform/http/errors.ts'
import { answerFirst } from '../../platform/http/idempotency.ts'
import { cutPage } from '../../platform/http/page.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { requestSync } from './money/request-sync.ts'
import { presentPayment, presentSummary } from './present.ts'
import { findPaymentInTenant, listPaymentsInTenant, sumPaymentsInTenant } from './queries.ts'
import { requestRefund } from './refunds/request-refund.ts'
import { Payment, PaymentPage, PaymentParams, PaymentQuery, PaymentSummary, RefundInput } from './schema.ts'

const KEY = { auth: 'key', limit: 'counted' } as const

export const paymentRoutes = defineRoutes({
  listPayments: defineRoute({
    ...KEY,
    method: 'GET',
    path: '/v1/payments',
    tag: 'Payments',
    summary: 'List payments',
    permission: 'read',
    scope: 'read',
    request: { query: PaymentQuery },
    response: { status: 200, body: PaymentPage },
    errors: ['validation_error', 'unauthorized', 'forbidden'],
    handler: async (ctx, { query }) => {
      const rows = await listPaymentsInTenant(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map(presentPayment), has_more }
    },
  }),
  getPaymentSummary: defineRoute({
    ...KEY,
    method: 'GET',
    path: '/v1/payments/summary',
    tag: 'Payments',
    summary: 'Get the sums of payments',
    permission: 'read',
    scope: 'read',
    request: {},
    response: { status: 200, body: PaymentSummary },
    errors: ['unauthorized', 'forbidden'],
    handler: async (ctx) => presentSummary(await sumPaymentsInTenant(openDb(ctx.env, 'decide'), ctx.caller)),
  }),
  getPayment: defineRoute({
    ...KEY,
    method: 'GET',
    path: '/v1/payments/:id',
    tag: 'Payments',
    summary: 'Get a payment',
    permission: 'read',
    scope: 'read',
    request: { params: PaymentParams },
    response: { status: 200, body: Payment },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      const row = await findPaymentInTenant(openDb(ctx.env, 'decide'), ctx.caller, params.id)
      if (!row) throw notFound('payment')
      return presentPayment(row)
    },
  }),
  syncPayment: defineRoute({
    ...KEY,
    method: 'POST',
    path: '/v1/payments/:id/sync',
    tag: 'Payments',
    summary: 'Sync a payment with the provider',
    description:
      'Updates its status, refunds, disputes and the sums from the provider, even if events were lost. In test mode no provider is called.',
    permission: 'administer',
    scope: 'mode',
    request: { params: PaymentParams },
    response: { status: 200, body: Payment },
    errors: ['unauthorized', 'forbidden', 'not_found', 'bad_gateway'],
    handler: async (ctx, { params }) => {
      const row = await requestSync(ctx.env, ctx.caller, params.id)
      if (!row) throw notFound('payment')
      return answerFirst(ctx, 200, presentPayment(row))
    },
  }),
  refundPayment: defineRoute({
    ...KEY,
    method: 'POST',
    path: '/v1/payments/:id/refund',
    tag: 'Payments',
    summary: 'Refund a payment or a part of it',
    description:
      'Parallel refunds never exceed what was paid. The booking stays as it is: cancel it to free its time.',
    permission: 'administer',
    scope: 'mode',
    request: { params: PaymentParams, body: RefundInput },
    response: { status: 200, body: Payment },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'bad_gateway',
    ],
    handler: async (ctx, { params, body }) => {
      const told = await requestRefund(ctx, params.id, body, presentPayment)
      if (told) return told
      const row = await findPaymentInTenant(openDb(ctx.env, 'decide'), ctx.caller, params.id)
      if (!row) throw notFound('payment')
      return answerFirst(ctx, 200, presentPayment(row))
    },
  }),
})
