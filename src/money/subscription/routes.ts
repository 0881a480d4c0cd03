import { openDb } from '../../platform/db/client.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { endWithPeriod } from './end-with-period.ts'
import { openBillingPortal } from './open-billing-portal.ts'
import { presentSubscription } from './present.ts'
import { getBilling } from './queries.ts'
import { BillingPage, CheckoutInput, PortalInput, Subscription } from './schema.ts'
import { startCheckout } from './start-checkout.ts'

const BILLING = {
  method: 'POST',
  tag: 'Subscription',
  auth: 'key',
  permission: 'administer',
  scope: 'shared',
  limit: 'counted',
  errors: [
    'validation_error',
    'bad_request',
    'unauthorized',
    'forbidden',
    'not_found',
    'conflict',
    'bad_gateway',
  ],
} as const

export const subscriptionRoutes = defineRoutes({
  getSubscription: defineRoute({
    method: 'GET',
    path: '/v1/subscription',
    tag: 'Subscription',
    summary: "Get the organization's plan",
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: {},
    response: { status: 200, body: Subscription },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx) =>
      presentSubscription(await getBilling(openDb(ctx.env, 'decide'), ctx.caller.organizationId)),
  }),
  startCheckout: defineRoute({
    ...BILLING,
    path: '/v1/subscription/checkout',
    summary: 'Buy a plan',
    description:
      'Returns a page of the payment provider. If there is a paid plan already, the page confirms the switch: a higher plan starts at once, a lower one with the next period.',
    request: { body: CheckoutInput },
    response: { status: 200, body: BillingPage },
    handler: (ctx, { body }) => startCheckout(ctx, body),
  }),
  openBillingPortal: defineRoute({
    ...BILLING,
    path: '/v1/subscription/portal',
    summary: 'Open the billing portal',
    description: 'Cards, invoices and the end of the subscription.',
    request: { body: PortalInput },
    response: { status: 200, body: BillingPage },
    handler: (ctx, { body }) => openBillingPortal(ctx, body),
  }),
  cancelSubscription: defineRoute({
    ...BILLING,
    path: '/v1/subscription/cancel',
    summary: 'Cancel a subscription at the end of its period',
    description: 'Until then nothing changes. Repeating it is harmless.',
    request: {},
    response: { status: 200, body: Subscription },
    handler: (ctx) => endWithPeriod(ctx, true),
  }),
  resumeSubscription: defineRoute({
    ...BILLING,
    path: '/v1/subscription/resume',
    summary: 'Resume a subscription',
    description: 'Repeating it is harmless.',
    request: {},
    response: { status: 200, body: Subscription },
    handler: (ctx) => endWithPeriod(ctx, false),
  }),
})
