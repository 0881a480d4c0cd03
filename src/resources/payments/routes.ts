import { openDb } from '../../db/client.ts'
import { notFound } from '../../http/errors.ts'
import { answerFirst } from '../../http/idempotency.ts'
import { cutPage } from '../../http/page.ts'
import { defineRoute } from '../../http/route.ts'
import { BookingParams, TokenQuery } from '../bookings/schema.ts'
import { assertSandbox } from '../test-data/assert-sandbox.ts'
import { getBookingPayment } from './get-booking-payment.ts'
import { presentPayment, presentSummary } from './present.ts'
import { findPaymentInTenant, listPaymentsInTenant, sumPaymentsInTenant } from './queries.ts'
import { requestRefund } from './refunds/request-refund.ts'
import {
  BookingPayment,
  Payment,
  PaymentPage,
  PaymentParams,
  PaymentQuery,
  PaymentSummary,
  RefundInput,
} from './schema.ts'
import { simulatePayment } from './simulate-payment.ts'

const KEY = { auth: 'key', limit: 'counted' } as const

const SIMULATE = {
  ...KEY,
  method: 'POST',
  tag: 'Test Data',
  permission: 'administer',
  scope: 'mode',
  request: { params: PaymentParams },
  response: { status: 200, body: Payment },
  errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
} as const

export const paymentRoutes = [
  defineRoute({
    ...KEY,
    method: 'GET',
    path: '/v1/payments',
    operationId: 'listPayments',
    tag: 'Payments',
    summary: 'List payments',
    permission: 'read',
    scope: 'read',
    request: { query: PaymentQuery },
    response: { status: 200, body: PaymentPage },
    errors: ['validation_error', 'unauthorized', 'forbidden'],
    handler: async (ctx, { query }) => {
      const rows = await listPaymentsInTenant(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query.limit)
      return { data: data.map(presentPayment), has_more }
    },
  }),
  defineRoute({
    ...KEY,
    method: 'GET',
    path: '/v1/payments/summary',
    operationId: 'getPaymentSummary',
    tag: 'Payments',
    summary: 'Add up the payments',
    permission: 'read',
    scope: 'read',
    request: {},
    response: { status: 200, body: PaymentSummary },
    errors: ['unauthorized', 'forbidden'],
    handler: async (ctx) => presentSummary(await sumPaymentsInTenant(openDb(ctx.env, 'decide'), ctx.caller)),
  }),
  defineRoute({
    ...KEY,
    method: 'GET',
    path: '/v1/payments/:id',
    operationId: 'getPayment',
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
  defineRoute({
    ...KEY,
    method: 'POST',
    path: '/v1/payments/:id/refund',
    operationId: 'refundPayment',
    tag: 'Payments',
    summary: 'Refund a payment, or a part of it',
    description:
      'Parallel refunds never come to more than was paid. The booking stays as it is: cancel it to free its time.',
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
  defineRoute({
    method: 'GET',
    path: '/v1/bookings/:id/payment',
    operationId: 'getBookingPayment',
    tag: 'Payments',
    summary: 'Get what a booking is paid with',
    description:
      'With a key or with the cancel token: for an invitee who comes back to pay, or who was promoted from a waitlist.',
    auth: 'key-or-token',
    permission: 'book',
    scope: 'read',
    limit: 'counted',
    request: { params: BookingParams, query: TokenQuery },
    response: { status: 200, body: BookingPayment },
    errors: ['unauthorized', 'forbidden', 'not_found', 'bad_gateway', 'rate_limit_exceeded'],
    handler: (ctx, { params, query }) => getBookingPayment(ctx, params.id, query.token),
  }),
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
