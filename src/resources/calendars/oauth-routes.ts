import { defineRoute } from '../../http/route.ts'
import { finishOAuth } from './finish-oauth.ts'
import { type CalendarSuite, SUITES } from './oauth-provider.ts'
import { AuthorizationUrl, CallbackQuery, ConnectedCalendar, ConnectQuery } from './schema.ts'
import { startOAuth } from './start-oauth.ts'

function routesOf(suite: CalendarSuite, word: string) {
  const { name } = SUITES[suite]
  return [
    defineRoute({
      method: 'GET',
      path: `/v1/calendars/${suite}/connect`,
      operationId: `connect${word}`,
      tag: 'Calendars',
      summary: `Connect a ${name} calendar`,
      description:
        'Answers with the URL where the owner of the account gives permission. Afterwards they are sent to `redirect_url` with `calendar=connected` or `error` in its query.',
      auth: 'key',
      permission: 'administer',
      scope: 'mode',
      limit: 'counted',
      request: { query: ConnectQuery },
      response: { status: 200, body: AuthorizationUrl },
      errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found'],
      handler: (ctx, { query }) => startOAuth(ctx, suite, query),
    }),
    defineRoute({
      method: 'GET',
      path: `/v1/calendars/${suite}/callback`,
      operationId: `finish${word}`,
      tag: 'Calendars',
      summary: `Come back from ${name}`,
      description:
        'The owner of the account comes here from the provider. Redirects (302) to the `redirect_url` of the connect call where it named one.',
      auth: 'none',
      permission: 'anyone',
      scope: 'mode',
      limit: 'counted',
      ignoresUnknownQuery: true,
      request: { query: CallbackQuery },
      response: { status: 200, body: ConnectedCalendar },
      errors: ['validation_error', 'bad_request', 'not_found', 'conflict', 'bad_gateway'],
      handler: (ctx, { query }) => finishOAuth(ctx, suite, query),
    }),
  ]
}

export const oauthRoutes = [...routesOf('calendar_a', 'Google'), ...routesOf('calendar_b', 'Microsoft')]
