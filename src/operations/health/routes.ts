import * as z from 'zod'
import { defineRoute, defineRoutes, WholeAnswer } from '../../platform/http/route.ts'
import { VERSION } from '../../platform/http/version.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { isAlive } from './is-alive.ts'
import { OperatorHealth, operatorHealth } from './operator-health.ts'

const Health = z.object({ status: z.enum(['ok', 'unavailable']), version: z.string() }).meta({
  id: 'Health',
  description: '`unavailable`, with status 503, while no database answers.',
  example: { status: 'ok', version: VERSION },
})

export const healthRoutes = defineRoutes({
  getHealth: defineRoute({
    method: 'GET',
    path: '/health',
    tag: 'Health',
    summary: 'Get whether the service works',
    auth: 'none',
    permission: 'anyone',
    scope: 'read',
    limit: 'uncounted',
    // Monitors add parameters that keep caches away.
    ignoresUnknownQuery: true,
    request: {},
    response: {
      status: 200,
      body: Health,
      otherwise: { status: 503, means: 'No database answers.' },
    },
    errors: [],
    handler: async (ctx) => {
      if (await isAlive(ctx.env)) return { status: 'ok' as const, version: VERSION }
      return new WholeAnswer({ status: 503, body: { status: 'unavailable', version: VERSION } }, false)
    },
  }),
  getOperatorHealth: defineRoute({
    method: 'GET',
    path: '/v1/operator/health',
    tag: 'Health',
    summary: 'Get the backlog',
    description:
      'For the operator: the due work in the tables of the queues, its age, the end of the last sweep, and the size of the databases.',
    auth: 'service',
    permission: 'anyone',
    scope: 'read',
    limit: 'uncounted',
    request: {},
    response: { status: 200, body: OperatorHealth },
    errors: ['unauthorized'],
    handler: (ctx) => operatorHealth(ctx.env, realNow()),
  }),
})
