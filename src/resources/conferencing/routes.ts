import type { TenantCaller } from '../../auth/caller.ts'
import type { Context } from '../../http/context.ts'
import { defineRoute } from '../../http/route.ts'
import { AuthorizationUrl } from '../calendars/schema.ts'
import { startOAuth } from '../calendars/start-oauth.ts'
import { disconnectProvider } from './disconnect-provider.ts'
import { listAccounts } from './list-accounts.ts'
import {
  ConferencingAccounts,
  ConferencingParams,
  type ConferencingProvider,
  ConnectConferencingQuery,
} from './schema.ts'
import { startConnecting } from './start-connecting.ts'

type Start = (ctx: Context<TenantCaller>, redirectUrl: string | undefined) => Promise<{ url: string }>

function connectRoute(
  provider: ConferencingProvider,
  operationId: string,
  summary: string,
  description: string,
  start: Start,
) {
  return defineRoute({
    method: 'GET',
    path: `/v1/conferencing/${provider}/connect`,
    operationId,
    tag: 'Conferencing',
    summary,
    description,
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { query: ConnectConferencingQuery },
    response: { status: 200, body: AuthorizationUrl },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { query }) => start(ctx, query.redirect_url),
  })
}

const WITH_CALENDAR =
  "The meetings come with the suite's calendar: this leads to connecting the organization owner's, and comes back with `calendar=connected`."

export const conferencingRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/conferencing',
    operationId: 'listConferencing',
    tag: 'Conferencing',
    summary: 'See which providers of meetings are connected',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: {},
    response: { status: 200, body: ConferencingAccounts },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: (ctx) => listAccounts(ctx.env, ctx.caller),
  }),
  connectRoute(
    'video_a',
    'connectZoom',
    'Connect a Zoom account',
    'Answers with the URL where the owner of the account gives permission; one account for the whole organization, the last one connected.',
    startConnecting,
  ),
  connectRoute(
    'calendar_a_meet',
    'connectGoogleMeet',
    'Connect Google Meet',
    WITH_CALENDAR,
    (ctx, redirect_url) => startOAuth(ctx, 'calendar_a', { redirect_url }),
  ),
  connectRoute(
    'calendar_b_meet',
    'connectMicrosoftTeams',
    'Connect Microsoft Teams',
    WITH_CALENDAR,
    (ctx, redirect_url) => startOAuth(ctx, 'calendar_b', { redirect_url }),
  ),
  defineRoute({
    method: 'DELETE',
    path: '/v1/conferencing/:provider',
    operationId: 'disconnectConferencing',
    tag: 'Conferencing',
    summary: 'Disconnect a provider of meetings',
    description: 'Its permission is given back. Bookings keep the links that were made.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: ConferencingParams },
    response: { status: 204 },
    errors: ['bad_request', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      await disconnectProvider(ctx, params.provider)
      return undefined
    },
  }),
]
