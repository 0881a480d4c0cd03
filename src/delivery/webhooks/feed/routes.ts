import { openDb } from '../../../platform/db/client.ts'
import { cutPage } from '../../../platform/http/page.ts'
import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { presentEvent } from './present.ts'
import { listEventsInTenant } from './queries.ts'
import { EventFeed, FeedQuery } from './schema.ts'

export const feedRoutes = defineRoutes({
  listEvents: defineRoute({
    method: 'GET',
    path: '/v1/events',
    tag: 'Webhooks',
    summary: 'Read the feed of events',
    description:
      'Every event in order and without gaps, kept for 30 days, whether or not a webhook subscribes to it. After a break, continue from the last `sequence` that you have seen.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: FeedQuery },
    response: { status: 200, body: EventFeed },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      const rows = await listEventsInTenant(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map(presentEvent), has_more }
    },
  }),
})
