import type { TenantCaller } from '../../platform/auth/caller.ts'
import type { Context } from '../../platform/http/context.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { AuthorizationUrl } from '../oauth/schema.ts'
import { startOAuth } from '../start-oauth.ts'
import { disconnectProvider } from './disconnect-provider.ts'
import { listAccounts } from './list-accounts.ts'
import { receiveNotification } from './receive-notification.ts'
import {
  ConferencingAccounts,
  ConferencingParams,
  type ConferencingProvider,
  ConnectConferencingQuery,
  DisconnectConferencingQuery,
  ZoomAnswer,
} from './schema.ts'

type Start = (ctx: Context<TenantCaller>, query: ConnectConferencingQuery) => Promise<{ url: string }>

function connectRoute(provider: ConferencingProvider, summary: string, description: string, start: Start) {
  return defineRoute({
    method: 'GET',
    path: `/v1/conferencing/${provider}/connect`,
    tag: 'Conferencing',
    summary,
    description,
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { query: ConnectConferencingQuery },
    response: { status: 200, body: AuthorizationUrl },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { query }) => start(ctx, query),
  })
}

const WITH_CALENDAR =
  "The meetings come with the suite's calendar: this leads to connecting the member's, and comes back with `calendar=connected`."

export const conferencingRoutes = defineRoutes({
  listConferencing: defineRoute({
    method: 'GET',
    path: '/v1/conferencing',
    tag: 'Conferencing',
    summary: 'List meeting providers',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: {},
    response: { status: 200, body: ConferencingAccounts },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: (ctx) => listAccounts(ctx.env, ctx.caller),
  }),
  connectZoom: connectRoute(
    'video_a',
    'Connect a Zoom account',
    "Returns the URL where the owner of the account gives permission. A member has one account, the last one connected; members without one use the organization owner's. A Zoom user is connected in one place: connecting them elsewhere ends the previous connection. A test key does not call Zoom: the URL leads to a fake account. Members connect their own; those of others are for admins.",
    (ctx, query) => startOAuth(ctx, 'video_a', query),
  ),
  connectGoogleMeet: connectRoute('calendar_a_meet', 'Connect Google Meet', WITH_CALENDAR, (ctx, query) =>
    startOAuth(ctx, 'calendar_a', query),
  ),
  connectMicrosoftTeams: connectRoute(
    'calendar_b_meet',
    'Connect Microsoft Teams',
    WITH_CALENDAR,
    (ctx, query) => startOAuth(ctx, 'calendar_b', query),
  ),
  disconnectConferencing: defineRoute({
    method: 'DELETE',
    path: '/v1/conferencing/:provider',
    tag: 'Conferencing',
    summary: 'Disconnect a meeting provider',
    description:
      'Its permission is revoked. Bookings keep their links. Members disconnect their own; those of others are for admins.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { params: ConferencingParams, query: DisconnectConferencingQuery },
    response: { status: 204 },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params, query }) => {
      await disconnectProvider(ctx, params.provider, query.member_id ?? null)
      return undefined
    },
  }),
  receiveZoomNotification: defineRoute({
    method: 'POST',
    path: '/v1/conferencing/video_a/deauthorization',
    tag: 'Conferencing',
    summary: "Receive Zoom's notice that a user removed the app",
    description:
      "For Zoom only, as the endpoint of its `app_deauthorized` event: the raw body is verified by `x-zm-signature`. The user's account is disconnected; the token that Zoom sends to check the address is returned signed. Unknown events are accepted and ignored.",
    auth: 'none',
    permission: 'anyone',
    scope: 'shared',
    limit: 'uncounted',
    // The raw body is signed, so no schema reads it; an Idempotency-Key belongs to the bytes that were sent.
    idempotency: 'by-verb',
    ignoresUnknownQuery: true,
    request: { ofProvider: 'An event of Zoom.' },
    response: { status: 200, body: ZoomAnswer },
    errors: ['validation_error', 'bad_request', 'conflict'],
    handler: receiveNotification,
  }),
})
