import * as z from 'zod'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { moneyEvents } from '../payments/money/money-events.ts'
import { paymentEvents } from '../payments/payment-events.ts'
import { accountEvents } from '../provider/account-events.ts'
import type { ProviderEventHandler } from '../provider/provider-event.ts'
import { billingEvents } from '../subscription/billing-events.ts'
import { receiveEvent } from './receive-event.ts'

/** Every room that listens to the payment provider. */
const HANDLERS: readonly ProviderEventHandler[] = [paymentEvents, moneyEvents, accountEvents, billingEvents]

const ReceivedEvent = z.object({ received: z.boolean() }).meta({
  id: 'ReceivedEvent',
  description: 'The event was accepted.',
  example: { received: true },
})

export const providerEventRoutes = defineRoutes({
  receiveProviderEvent: defineRoute({
    method: 'POST',
    path: '/v1/payment-provider/webhook',
    tag: 'Payment Provider',
    summary: 'Receive an event of the payment provider',
    description:
      'For the payment provider only: the raw body is an event, verified by its `Stripe-Signature`. Unknown kinds are accepted and ignored; events may be repeated and arrive in any order.',
    auth: 'none',
    permission: 'anyone',
    scope: 'shared',
    limit: 'uncounted',
    // The raw body is signed, so no schema reads it; an Idempotency-Key belongs to the bytes that were sent.
    idempotency: 'by-verb',
    ignoresUnknownQuery: true,
    request: { ofProvider: 'An event of the payment provider.' },
    response: { status: 200, body: ReceivedEvent },
    errors: ['validation_error', 'bad_request', 'conflict', 'bad_gateway'],
    handler: (ctx) => receiveEvent(ctx, HANDLERS),
  }),
})
