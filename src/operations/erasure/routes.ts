import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { erasePerson } from './erase-person.ts'
import { exportPerson } from './export-person.ts'
import { Erased, PersonData, PersonParams } from './schema.ts'

export const peopleRoutes = defineRoutes({
  exportPerson: defineRoute({
    method: 'GET',
    path: '/v1/people/:email',
    tag: 'People',
    summary: "Export a person's data",
    description:
      'All data of an invitee, guest or waitlist entry with this address or phone number, in the mode of the call. The sandbox’s emails are in its outbox.',
    auth: 'key',
    permission: 'own',
    scope: 'read',
    limit: 'counted',
    request: { params: PersonParams },
    response: { status: 200, body: PersonData },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { params }) => exportPerson(ctx, params.email),
  }),
  erasePerson: defineRoute({
    method: 'DELETE',
    path: '/v1/people/:email',
    tag: 'People',
    summary: 'Erase a person',
    description:
      'Removes the person with this address or phone number from all data of the organization in the mode of the call. Bookings stay as times without a name, upcoming ones with their seats; waitlist entries are removed; no notification is sent. Without stored data, nothing changes. Members of the organization stay members.',
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
