import { defineRoute, defineRoutes } from '../platform/http/route.ts'
import { ACCOUNT_PROVIDERS, type CalendarSuite } from './accounts/providers.ts'
import { startAdminConsent } from './admin-consent.ts'
import {
  AdminConsentQuery,
  AdminConsentUrl,
  AuthorizationUrl,
  ConnectQuery,
  GoogleConnectQuery,
} from './oauth/schema.ts'
import { startOAuth } from './start-oauth.ts'

function connectRoute<Query extends typeof ConnectQuery | typeof GoogleConnectQuery>(
  suite: CalendarSuite,
  query: Query,
) {
  const { name, path } = ACCOUNT_PROVIDERS[suite]
  return defineRoute({
    method: 'GET',
    path: `${path}/connect`,
    tag: 'Calendars',
    summary: `Connect a ${name} calendar`,
    description:
      'Returns the URL where the owner of the account gives permission. They come back to a page of this service that names the organization and asks for confirmation; then they are redirected to `redirect_url` with `calendar=connected` or `error` in its query. Members connect their own; those of others are for admins.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { query },
    response: { status: 200, body: AuthorizationUrl },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { query: asked }) => startOAuth(ctx, suite, asked),
  })
}

export const oauthRoutes = defineRoutes({
  connectGoogle: connectRoute('calendar_a', GoogleConnectQuery),
  connectMicrosoft: connectRoute('calendar_b', ConnectQuery),
  askMicrosoftAdministrator: defineRoute({
    method: 'GET',
    path: '/v1/calendars/calendar_b/admin-consent',
    tag: 'Calendars',
    summary: 'Have an administrator agree to Microsoft 365 calendars',
    description:
      'Many organizations let only an administrator permit an app to use calendars. Answers with the URL where one agrees for everybody there; it may be sent on. It connects nothing: people connect their calendars afterwards. The administrator comes back to a page of this service, or to `redirect_url` with `admin_consent=granted`, or with `admin_consent=refused` and `error` in its query.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { query: AdminConsentQuery },
    response: { status: 200, body: AdminConsentUrl },
    errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { query }) => startAdminConsent(ctx, query),
  }),
})
