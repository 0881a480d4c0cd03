import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { getAgenda } from './get-agenda.ts'
import { Agenda, AgendaQuery } from './schema.ts'

export const agendaRoutes = defineRoutes({
  getAgenda: defineRoute({
    method: 'GET',
    path: '/v1/agenda',
    tag: 'Agenda',
    summary: 'Get the agenda',
    description:
      'What a calendar shows of a range of at most 42 days: bookings, sessions, requests, holds, time off, busy times and open hours. Unknown ids answer with 404.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: AgendaQuery },
    response: { status: 200, body: Agenda },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { query }) => getAgenda(ctx, query),
  }),
})
