import { openDb } from '../../platform/db/client.ts'
import { isId } from '../../platform/db/ids.ts'
import { notFound } from '../../platform/http/errors.ts'
import { cutPage } from '../../platform/http/page.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { listActivity } from './list-activity.ts'
import { presentActivity } from './present.ts'
import { ActivityPage, ActivityQuery } from './schema.ts'

export const activityRoutes = defineRoutes({
  listActivity: defineRoute({
    method: 'GET',
    path: '/v1/activity',
    tag: 'Activity',
    summary: 'List the activity log',
    description:
      "Every change of state, in the mode of the call. The operator's actions are in the live log.",
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: ActivityQuery },
    response: { status: 200, body: ActivityPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      if (query.resource_id !== undefined && !isId(query.resource_id)) throw notFound('resource')
      const rows = await listActivity(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map(presentActivity), has_more }
    },
  }),
})
