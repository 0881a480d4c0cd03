import { openDb } from '../../db/client.ts'
import { cutPage } from '../../http/page.ts'
import { PageQuery } from '../../http/page-schema.ts'
import { defineRoute } from '../../http/route.ts'
import { connectCaldav } from './connect-caldav.ts'
import { disconnectCalendar } from './disconnect-calendar.ts'
import { oauthRoutes } from './oauth-routes.ts'
import { presentConnection } from './present.ts'
import { listConnectionsInTenant } from './queries.ts'
import { CalendarConnection, CalendarConnectionPage, CalendarParams, ConnectCaldavInput } from './schema.ts'
import { syncNow } from './sync-now.ts'

export const calendarRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/calendars',
    operationId: 'listCalendars',
    tag: 'Calendars',
    summary: 'List connected calendars',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: PageQuery },
    response: { status: 200, body: CalendarConnectionPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      const rows = await listConnectionsInTenant(openDb(ctx.env, 'decide'), ctx.caller, query, ctx.now)
      const { data, has_more } = cutPage(rows, query.limit)
      return { data: data.map(presentConnection), has_more }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/calendars/caldav/connect',
    operationId: 'connectCaldav',
    tag: 'Calendars',
    summary: 'Connect a CalDAV calendar',
    description:
      'Asks the server for the account and its calendars, and reads what blocks time, before it answers. An account whose calendar no longer works is connected again. In test mode the calendar is read and never written to.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { body: ConnectCaldavInput },
    response: { status: 201, body: CalendarConnection },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'bad_gateway',
    ],
    handler: (ctx, { body }) => connectCaldav(ctx, body),
  }),
  ...oauthRoutes,
  defineRoute({
    method: 'DELETE',
    path: '/v1/calendars/:id',
    operationId: 'disconnectCalendar',
    tag: 'Calendars',
    summary: 'Disconnect a calendar',
    description:
      'Its events block no time any more. Bookings keep its id, and what was written to the calendar stays there.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: CalendarParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      await disconnectCalendar(ctx, params.id)
      return undefined
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/calendars/:id/sync',
    operationId: 'syncCalendar',
    tag: 'Calendars',
    summary: 'Ask a calendar now',
    description:
      'Calendars are asked by themselves at least every five minutes. How it went is in the answer.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { params: CalendarParams },
    response: { status: 200, body: CalendarConnection },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => syncNow(ctx, params.id),
  }),
]
