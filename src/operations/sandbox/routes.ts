import { openDb } from '../../platform/db/client.ts'
import { answerFirst } from '../../platform/http/idempotency.ts'
import { cutPage } from '../../platform/http/page.ts'
import { PageQuery } from '../../platform/http/page-schema.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { assertSandbox } from './assert-sandbox.ts'
import { deleteTestData } from './delete-test-data.ts'
import { makeTestData } from './make-test-data.ts'
import { presentOutbox } from './present.ts'
import { listOutbox } from './queries.ts'
import {
  Clock,
  CreatedTestData,
  DeletedTestData,
  OutboxPage,
  ReceivedTestWebhook,
  SetClockInput,
  TriedWebhook,
} from './schema.ts'
import { setClock } from './set-clock.ts'

export const testDataRoutes = defineRoutes({
  createTestData: defineRoute({
    method: 'POST',
    path: '/v1/test-data',
    tag: 'Test Data',
    summary: 'Fill the sandbox',
    description: 'Creates two event types with hours and a few bookings. Test mode only.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: {},
    response: { status: 201, body: CreatedTestData },
    errors: ['unauthorized', 'forbidden', 'plan_limit_exceeded', 'conflict'],
    handler: async (ctx) => {
      assertSandbox(ctx.caller)
      return makeTestData(ctx)
    },
  }),
  deleteTestData: defineRoute({
    method: 'DELETE',
    path: '/v1/test-data',
    tag: 'Test Data',
    summary: 'Empty the sandbox',
    description: 'Deletes all test data; keys, the clock and the activity log stay. Test mode only.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: {},
    response: { status: 200, body: DeletedTestData },
    errors: ['unauthorized', 'forbidden'],
    handler: async (ctx) => {
      assertSandbox(ctx.caller)
      return deleteTestData(ctx)
    },
  }),
  listOutbox: defineRoute({
    method: 'GET',
    path: '/v1/test-data/outbox',
    tag: 'Test Data',
    summary: 'List what would have left the sandbox',
    description: 'Newest first. Emails contain tokens that allow their reader to act. Test mode only.',
    auth: 'key',
    permission: 'administer',
    scope: 'read',
    limit: 'counted',
    request: { query: PageQuery },
    response: { status: 200, body: OutboxPage },
    errors: ['validation_error', 'unauthorized', 'forbidden'],
    handler: async (ctx, { query }) => {
      assertSandbox(ctx.caller)
      const db = openDb(ctx.env, 'decide')
      const { organizationId } = ctx.caller
      const { data, has_more } = cutPage(await listOutbox(db, organizationId, query), query)
      return { data: await presentOutbox(ctx.env, db, organizationId, data), has_more }
    },
  }),
  setClock: defineRoute({
    method: 'PUT',
    path: '/v1/test-data/clock',
    tag: 'Test Data',
    summary: "Set the sandbox's clock",
    description:
      'It does not advance until it is set again. Work that is due at that time is done at once. Test mode only.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { body: SetClockInput },
    response: { status: 200, body: Clock },
    errors: ['validation_error', 'unauthorized', 'forbidden'],
    handler: async (ctx, { body }) => {
      assertSandbox(ctx.caller)
      return setClock(ctx, body.now)
    },
  }),
  receiveTestWebhook: defineRoute({
    method: 'POST',
    path: '/v1/test-data/webhook',
    tag: 'Test Data',
    summary: 'Receive a webhook',
    description:
      'A receiver for trying webhooks without a server of your own: use its URL for an endpoint, and read the deliveries. It returns the challenge or the id of the event, and stores nothing.',
    auth: 'none',
    permission: 'anyone',
    scope: 'read',
    limit: 'counted',
    request: { body: TriedWebhook },
    response: { status: 200, body: ReceivedTestWebhook },
    errors: ['validation_error'],
    handler: (ctx, { body: { challenge = null, id: received = null } }) =>
      answerFirst(ctx, 200, { challenge, received }),
  }),
})
