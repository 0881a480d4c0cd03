import { openDb } from '../../../platform/db/client.ts'
import { cutPage } from '../../../platform/http/page.ts'
import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { presentDelivery } from './present.ts'
import { listDeliveriesInTenant } from './queries.ts'
import { retryDelivery } from './retry-delivery.ts'
import {
  DeliveriesParams,
  DeliveryParams,
  DeliveryQuery,
  WebhookDelivery,
  WebhookDeliveryPage,
} from './schema.ts'

export const webhookDeliveryRoutes = defineRoutes({
  listWebhookDeliveries: defineRoute({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    tag: 'Webhooks',
    summary: "List an endpoint's deliveries",
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: DeliveriesParams, query: DeliveryQuery },
    response: { status: 200, body: WebhookDeliveryPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params, query }) => {
      const rows = await listDeliveriesInTenant(openDb(ctx.env, 'decide'), ctx.caller, params.id, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map(presentDelivery), has_more }
    },
  }),
  retryWebhookDelivery: defineRoute({
    method: 'POST',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/retry',
    tag: 'Webhooks',
    summary: 'Retry a failed delivery',
    description: 'Marks the failed delivery `retried` and returns the new one.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: DeliveryParams },
    response: { status: 201, body: WebhookDelivery },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => retryDelivery(ctx, params.id, params.deliveryId),
  }),
})
