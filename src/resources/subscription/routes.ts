import { openDb } from '../../db/client.ts'
import { Refused } from '../../http/errors.ts'
import { defineRoute } from '../../http/route.ts'
import { presentSubscription } from './present.ts'
import { BillingPage, CheckoutInput, PortalInput, Subscription } from './schema.ts'
import { getTierOfOrg } from './store.ts'

async function refuseBilling(): Promise<never> {
  throw new Refused({ code: 'bad_request', message: 'Billing is not configured on this service.' })
}

const BILLING = {
  method: 'POST',
  tag: 'Subscription',
  auth: 'key',
  permission: 'administer',
  limit: 'counted',
  errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
  handler: refuseBilling,
} as const

export const subscriptionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/subscription',
    operationId: 'getSubscription',
    tag: 'Subscription',
    summary: "Get the organization's plan",
    auth: 'key',
    permission: 'read',
    limit: 'counted',
    request: {},
    response: { status: 200, body: Subscription },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx) =>
      presentSubscription(await getTierOfOrg(openDb(ctx.env, 'decide'), ctx.caller.organizationId)),
  }),
  defineRoute({
    ...BILLING,
    path: '/v1/subscription/checkout',
    operationId: 'startCheckout',
    summary: 'Buy a plan',
    request: { body: CheckoutInput },
    response: { status: 200, body: BillingPage },
  }),
  defineRoute({
    ...BILLING,
    path: '/v1/subscription/portal',
    operationId: 'openBillingPortal',
    summary: 'Open the billing portal',
    request: { body: PortalInput },
    response: { status: 200, body: BillingPage },
  }),
  defineRoute({
    ...BILLING,
    path: '/v1/subscription/cancel',
    operationId: 'cancelSubscription',
    summary: 'End the plan with its period',
    request: {},
    response: { status: 200, body: Subscription },
  }),
  defineRoute({
    ...BILLING,
    path: '/v1/subscription/resume',
    operationId: 'resumeSubscription',
    summary: 'Keep a plan that was about to end',
    request: {},
    response: { status: 200, body: Subscription },
  }),
]
