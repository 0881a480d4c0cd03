import { openDb } from '../../platform/db/client.ts'
import { cutPage } from '../../platform/http/page.ts'
import { PageQuery } from '../../platform/http/page-schema.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { createSupportRequest } from './create-support-request.ts'
import { presentSupportRequest } from './present.ts'
import { listSupportRequestsInTenant } from './queries.ts'
import { CreateSupportRequestInput, SupportRequest, SupportRequestPage } from './schema.ts'

export const supportRoutes = defineRoutes({
  createSupportRequest: defineRoute({
    method: 'POST',
    path: '/v1/support',
    tag: 'Support',
    summary: 'Ask for support',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { body: CreateSupportRequestInput },
    response: { status: 201, body: SupportRequest },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { body }) => createSupportRequest(ctx, body),
  }),
  listSupportRequests: defineRoute({
    method: 'GET',
    path: '/v1/support',
    tag: 'Support',
    summary: 'List support requests',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: PageQuery },
    response: { status: 200, body: SupportRequestPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      const rows = await listSupportRequestsInTenant(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map(presentSupportRequest), has_more }
    },
  }),
})
