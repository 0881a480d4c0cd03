import { openDb } from '../platform/db/client.ts'
import { cutPage } from '../platform/http/page.ts'
import { PageQuery } from '../platform/http/page-schema.ts'
import { defineRoute, defineRoutes } from '../platform/http/route.ts'
import { CalendarAccounts } from './accounts/schema.ts'
import { addCalendar } from './add-calendar.ts'
import { connectCaldav } from './connect-caldav.ts'
import { connectIcs } from './connect-ics.ts'
import { disconnectCalendar } from './disconnect-calendar.ts'
import { calendarInvitationRoutes } from './invitations/routes.ts'
import { listAccounts } from './list-accounts.ts'
import { oauthRoutes } from './oauth-routes.ts'
import { presentAll } from './present.ts'
import { listConnectionsInTenant } from './queries.ts'
import {
  AddCalendarInput,
  CalendarConnection,
  CalendarConnectionPage,
  CalendarParams,
  ConnectCaldavInput,
  ConnectIcsInput,
  UpdateCalendarInput,
} from './schema.ts'
import { syncNow } from './sync-now.ts'
import { updateCalendar } from './update-calendar.ts'

const CONNECT_ERRORS = [
  'validation_error',
  'bad_request',
  'unauthorized',
  'forbidden',
  'plan_limit_exceeded',
  'not_found',
  'conflict',
  'bad_gateway',
] as const

export const calendarRoutes = defineRoutes({
  listCalendarAccounts: defineRoute({
    method: 'GET',
    path: '/v1/calendars/accounts',
    tag: 'Calendars',
    summary: 'List connected accounts with all their calendars',
    description:
      'Queries the providers; for a provider that does not respond, the last known calendars are returned.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: {},
    response: { status: 200, body: CalendarAccounts },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx) => ({ data: await listAccounts(ctx.env, ctx.caller) }),
  }),
  addCalendar: defineRoute({
    method: 'POST',
    path: '/v1/calendars',
    tag: 'Calendars',
    summary: 'Connect another calendar of an account',
    description:
      'Its events block time at once. Members add calendars of their own accounts; those of others are for admins.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { body: AddCalendarInput },
    response: { status: 201, body: CalendarConnection },
    errors: CONNECT_ERRORS,
    handler: (ctx, { body }) => addCalendar(ctx, body),
  }),
  updateCalendar: defineRoute({
    method: 'PATCH',
    path: '/v1/calendars/:id',
    tag: 'Calendars',
    summary: 'Change what a calendar is used for',
    description:
      'With `receives_bookings: true`, other calendars of its member no longer receive bookings. Upcoming bookings of the member are written to it and removed from the calendar before; past ones stay where they are. Members change their own; those of others, and calendars that close everybody, are for admins.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { params: CalendarParams, body: UpdateCalendarInput },
    response: { status: 200, body: CalendarConnection },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params, body }) => updateCalendar(ctx, params.id, body),
  }),
  listCalendars: defineRoute({
    method: 'GET',
    path: '/v1/calendars',
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
      const { data, has_more } = cutPage(rows, query)
      return { data: await presentAll(ctx.env, data), has_more }
    },
  }),
  connectCaldav: defineRoute({
    method: 'POST',
    path: '/v1/calendars/caldav/connect',
    tag: 'Calendars',
    summary: 'Connect a CalDAV calendar',
    description:
      'Reads the account and its calendars from the server, with their busy times, before it responds. An account whose calendar no longer works is connected again. In test mode the calendar is read and never written to. Members connect their own; those of others are for admins.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { body: ConnectCaldavInput },
    response: { status: 201, body: CalendarConnection },
    errors: CONNECT_ERRORS,
    handler: (ctx, { body }) => connectCaldav(ctx, body),
  }),
  connectIcs: defineRoute({
    method: 'POST',
    path: '/v1/calendars/ics/connect',
    tag: 'Calendars',
    summary: 'Connect a read-only feed',
    description:
      'Events of the feed (an `.ics` of at most 4 MiB) block time, and nothing is written to it. It is read before this call returns, every 15 minutes and when booking. Members connect their own; those of others, of a resource and of everybody are for admins.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { body: ConnectIcsInput },
    response: { status: 201, body: CalendarConnection },
    errors: CONNECT_ERRORS,
    handler: (ctx, { body }) => connectIcs(ctx, body),
  }),
  ...oauthRoutes,
  ...calendarInvitationRoutes,
  disconnectCalendar: defineRoute({
    method: 'DELETE',
    path: '/v1/calendars/:id',
    tag: 'Calendars',
    summary: 'Disconnect a calendar',
    description:
      'Its events no longer block time. Events of bookings stay in the calendar. Members disconnect their own; those of others, and calendars that close everybody, are for admins.',
    auth: 'key',
    permission: 'book',
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
  syncCalendar: defineRoute({
    method: 'POST',
    path: '/v1/calendars/:id/sync',
    tag: 'Calendars',
    summary: 'Sync a calendar now',
    description:
      "Calendars are synced automatically: seconds after their provider's notification, and without notifications every 1 to 15 minutes, depending on how often they change. The response has the result; `sync_status` is `syncing` if the provider takes longer than a request can wait, and the sync continues.",
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { params: CalendarParams },
    response: { status: 200, body: CalendarConnection },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => syncNow(ctx, params.id),
  }),
})
