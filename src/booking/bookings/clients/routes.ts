import { openDb } from '../../../platform/db/client.ts'
import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { getClientRow } from './find-client.ts'
import { listClients } from './list-clients.ts'
import { presentClient } from './present.ts'
import { Client, ClientPage, ClientParams, ClientQuery, UpdateClientInput } from './schema.ts'
import { updateClient } from './update-client.ts'

export const clientRoutes = defineRoutes({
  listClients: defineRoute({
    method: 'GET',
    path: '/v1/clients',
    tag: 'Clients',
    summary: 'List clients',
    description:
      'The people who booked, each with the number of their bookings in the mode of the call. Guests are not clients.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: ClientQuery },
    response: { status: 200, body: ClientPage },
    errors: ['validation_error', 'unauthorized', 'forbidden'],
    handler: (ctx, { query }) => listClients(ctx, query),
  }),
  getClient: defineRoute({
    method: 'GET',
    path: '/v1/clients/:contact',
    tag: 'Clients',
    summary: 'Get a client',
    description:
      'By email address, or by phone number: first the client who booked without an address, then one with this number.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: ClientParams },
    response: { status: 200, body: Client },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async ({ env, caller, now }, { params }) => {
      const asked = { env, tenant: caller, now }
      return presentClient(env, caller, await getClientRow(asked, openDb(env, 'decide'), params.contact))
    },
  }),
  updateClient: defineRoute({
    method: 'PATCH',
    path: '/v1/clients/:contact',
    tag: 'Clients',
    summary: 'Update a client',
    description: 'Changes the notes. Everything else comes from the bookings.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { params: ClientParams, body: UpdateClientInput },
    response: { status: 200, body: Client },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { params, body }) => updateClient(ctx, params.contact, body),
  }),
})
