import { defineRoute } from '../../http/route.ts'
import { type CalendarSuite, SUITES } from './accounts/suites.ts'
import { AuthorizationUrl, ConnectQuery } from './schema.ts'
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
        'Answers with the URL where the owner of the account gives permission. They come back to a page of this service that names the organization and asks once more; then they are sent to `redirect_url` with `calendar=connected` or `error` in its query.',
      auth: 'key',
      permission: 'administer',
      scope: 'mode',
      limit: 'counted',
      request: { query: ConnectQuery },
      response: { status: 200, body: AuthorizationUrl },
      errors: ['validation_error', 'bad_request', 'unauthorized', 'forbidden', 'not_found'],
      handler: (ctx, { query }) => startOAuth(ctx, suite, query),
    }),
  ]
}

export const oauthRoutes = [...routesOf('calendar_a', 'Google'), ...routesOf('calendar_b', 'Microsoft')]
