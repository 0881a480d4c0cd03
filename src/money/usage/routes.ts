import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { getUsage } from './get-usage.ts'
import { getUsageSummary } from './get-usage-summary.ts'
import { Usage, UsageSummary, UsageSummaryQuery } from './schema.ts'

export const usageRoutes = defineRoutes({
  getUsage: defineRoute({
    method: 'GET',
    path: '/v1/usage',
    tag: 'Usage',
    summary: 'Get the usage of the plan',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'uncounted',
    request: {},
    response: { status: 200, body: Usage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx) => getUsage(ctx),
  }),
  getUsageSummary: defineRoute({
    method: 'GET',
    path: '/v1/usage/summary',
    tag: 'Usage',
    summary: 'Get statistics of the last 7 or 30 days',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'uncounted',
    request: { query: UsageSummaryQuery },
    response: { status: 200, body: UsageSummary },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { query }) => getUsageSummary(ctx, query),
  }),
})
