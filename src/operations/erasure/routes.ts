import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { erasePerson } from './erase-person.ts'
import { exportPerson } from './export-person.ts'
import { Erased, PersonData, PersonParams } from './schema.ts'

export const peopleRoutes = defineRoutes({
  exportPerson: defineRoute({
    method: 'GET',
    path: '/v1/people/:email',
    tag: 'People',
    summary: 'Export what is kept of somebody',
    description:
      'Who booked, was a guest or waited, by their address, in the mode of the call. The sandbox’s letters are in its outbox.',
    auth: 'key',
    permission: 'own',
    scope: 'read',
    limit: 'counted',
    request: { params: PersonParams },
    response: { status: 200, body: PersonData },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: ({ env, caller }, { params }) => exportPerson(env, caller, params.email),
  }),
  erasePerson: defineRoute({
    method: 'DELETE',
    path: '/v1/people/:email',
    tag: 'People',
    summary: 'Erase somebody',
    description:
      'Takes the person with this address out of all that the organization keeps in the mode of the call. Bookings stay as times without a name, those to come with their seats; who waits does no longer; nothing is sent about any of it. Of somebody whom nothing is kept of, it touches nothing. Members of the organization stay members.',
    auth: 'key',
    permission: 'own',
    scope: 'mode',
    limit: 'counted',
    request: { params: PersonParams },
    response: { status: 200, body: Erased },
    errors: ['unauthorized', 'forbidden', 'not_found', 'service_unavailable'],
    handler: (ctx, { params }) => erasePerson(ctx, params.email),
  }),
})
