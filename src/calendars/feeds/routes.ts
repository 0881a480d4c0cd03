import { openDb } from '../../platform/db/client.ts'
import { cutPage } from '../../platform/http/page.ts'
import { PageQuery } from '../../platform/http/page-schema.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { createFeed } from './create-feed.ts'
import { presentFeed } from './present.ts'
import { listFeedsInOrg } from './queries.ts'
import { revokeFeed } from './revoke-feed.ts'
import {
  CalendarFeedPage,
  CalendarFeedParams,
  CreateCalendarFeedInput,
  CreatedCalendarFeed,
} from './schema.ts'

export const calendarFeedRoutes = defineRoutes({
  createCalendarFeed: defineRoute({
    method: 'POST',
    path: '/v1/calendar-feeds',
    tag: 'Calendars',
    summary: 'Create a feed of bookings',
    description:
      'An `.ics` of live bookings, a year ahead and a month back; cancelled ones stay in it for a month, as cancelled. Its address is shown once.',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: { body: CreateCalendarFeedInput },
    response: { status: 201, body: CreatedCalendarFeed },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'plan_limit_exceeded', 'not_found', 'conflict'],
    handler: (ctx, { body }) => createFeed(ctx, body),
  }),
  listCalendarFeeds: defineRoute({
    method: 'GET',
    path: '/v1/calendar-feeds',
    tag: 'Calendars',
    summary: 'List feeds of bookings',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: PageQuery },
    response: { status: 200, body: CalendarFeedPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      const rows = await listFeedsInOrg(openDb(ctx.env, 'decide'), ctx.caller.organizationId, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map(presentFeed), has_more }
    },
  }),
  revokeCalendarFeed: defineRoute({
    method: 'DELETE',
    path: '/v1/calendar-feeds/:id',
    tag: 'Calendars',
    summary: 'Revoke a feed of bookings',
    description: 'Its address returns 404 from now on.',
    auth: 'key',
    permission: 'administer',
    scope: 'shared',
    limit: 'counted',
    request: { params: CalendarFeedParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      await revokeFeed(ctx, params.id)
      return undefined
    },
  }),
})
