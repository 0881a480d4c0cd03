import { openDb } from '../../platform/db/client.ts'
import { cutPage } from '../../platform/http/page.ts'
import { PageQuery } from '../../platform/http/page-schema.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { getEndpoint } from './change-endpoint.ts'
import { createEndpoint } from './create-endpoint.ts'
import { deleteEndpoint } from './delete-endpoint.ts'
import { presentEndpoint } from './present.ts'
import { listEndpointsInTenant } from './queries.ts'
import { rotateSecret } from './rotate-secret.ts'
import {
  CreatedWebhookEndpoint,
  CreateWebhookEndpointInput,
  TestWebhookInput,
  UpdateWebhookEndpointInput,
  WebhookEndpoint,
  WebhookEndpointPage,
  WebhookEndpointParams,
  WebhookSecret,
  WebhookTest,
} from './schema.ts'
import { testEndpoint } from './test-endpoint.ts'
import { updateEndpoint } from './update-endpoint.ts'
import { verifyEndpoint } from './verify-endpoint.ts'

export const webhookRoutes = defineRoutes({
  createWebhookEndpoint: defineRoute({
    method: 'POST',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'Sends a signed challenge to the `url` and returns its result; the endpoint is created either way. The secret, yours or a new one, is shown once. An endpoint created with a test key gets only test events, and likewise live.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { body: CreateWebhookEndpointInput },
    response: { status: 201, body: CreatedWebhookEndpoint },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { body }) => createEndpoint(ctx, body),
  }),
  listWebhookEndpoints: defineRoute({
    method: 'GET',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: PageQuery },
    response: { status: 200, body: WebhookEndpointPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      const rows = await listEndpointsInTenant(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map(presentEndpoint), has_more }
    },
  }),
  getWebhookEndpoint: defineRoute({
    method: 'GET',
    path: '/v1/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Get a webhook endpoint',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: WebhookEndpointParams },
    response: { status: 200, body: WebhookEndpoint },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) =>
      presentEndpoint(await getEndpoint(ctx, openDb(ctx.env, 'decide'), params.id)),
  }),
  updateWebhookEndpoint: defineRoute({
    method: 'PATCH',
    path: '/v1/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Change a webhook endpoint',
    description: 'A new `url` is challenged before the response.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: WebhookEndpointParams, body: UpdateWebhookEndpointInput },
    response: { status: 200, body: WebhookEndpoint },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params, body }) => updateEndpoint(ctx, params.id, body),
  }),
  deleteWebhookEndpoint: defineRoute({
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: WebhookEndpointParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      await deleteEndpoint(ctx, params.id)
      return undefined
    },
  }),
  verifyWebhookEndpoint: defineRoute({
    method: 'POST',
    path: '/v1/webhooks/:id/verify',
    tag: 'Webhooks',
    summary: 'Send the challenge again',
    description:
      'A failed challenge makes the endpoint `failed`, even if it was verified before. A successful challenge ends a suspension.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: WebhookEndpointParams },
    response: { status: 200, body: WebhookEndpoint },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => verifyEndpoint(ctx, params.id),
  }),
  testWebhookEndpoint: defineRoute({
    method: 'POST',
    path: '/v1/webhooks/:id/test',
    tag: 'Webhooks',
    summary: 'Send a sample event',
    description:
      "Sends the documentation's example, signed, and returns the result. It is in no feed, is attempted once and has the `sequence` 0. An unverified endpoint gets none: 409.",
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: WebhookEndpointParams, body: TestWebhookInput },
    response: { status: 200, body: WebhookTest },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params, body }) => testEndpoint(ctx, params.id, body),
  }),
  rotateWebhookSecret: defineRoute({
    method: 'POST',
    path: '/v1/webhooks/:id/rotate-secret',
    tag: 'Webhooks',
    summary: 'Get a new signing secret',
    description: 'For 24 hours the previous secret signs too, in `webhook-signature`.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: WebhookEndpointParams },
    response: { status: 200, body: WebhookSecret },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => rotateSecret(ctx, params.id),
  }),
})
