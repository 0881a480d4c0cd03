import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { getUsage } from './get-usage.ts'
import { getUsageSummary } from './get-usage-summary.ts'
import { getReport } from './report/get-report.ts'
import { ReportQuery, UsageReport } from './report/schema.ts'
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
  getUsageReport: defineRoute({
    method: 'GET',
    path: '/v1/usage/report',
    tag: 'Usage',
    summary: 'Get a report of bookings',
    description:
      'Bookings, absences and revenue of a period, by start, in groups. A moved or cancelled booking changes the report at once, and deleted event types, members who left and erased persons stay counted.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: ReportQuery },
    response: { status: 200, body: UsageReport },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { query }) => getReport(ctx, query),
  }),
})
