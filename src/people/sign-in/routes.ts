import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { createConsoleLink } from './create-console-link.ts'
import { ConsoleLink, CreateConsoleLinkInput } from './schema.ts'

export const consoleLinkRoutes = defineRoutes({
  createConsoleLink: defineRoute({
    method: 'POST',
    path: '/v1/console-links',
    tag: 'Organizations',
    summary: 'Create a link to the console',
    description:
      'For the service key. The link works once, within a day: it signs the owner or another member in to the organization, or allows the person with the link to create a new organization and own it.',
    auth: 'service',
    permission: 'anyone',
    scope: 'shared',
    limit: 'counted',
    request: { body: CreateConsoleLinkInput },
    response: { status: 201, body: ConsoleLink },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { body }) => createConsoleLink(ctx, body),
  }),
})
