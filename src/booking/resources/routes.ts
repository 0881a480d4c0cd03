import { openDb } from '../../platform/db/client.ts'
import { notFound } from '../../platform/http/errors.ts'
import { cutPage } from '../../platform/http/page.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { createResource } from './create-resource.ts'
import { deleteResource } from './delete-resource.ts'
import { presentResource } from './present.ts'
import { findResourceInTenant, listResourcesInTenant } from './queries.ts'
import {
  CreateResourceInput,
  Resource,
  ResourcePage,
  ResourceParams,
  ResourceQuery,
  UpdateResourceInput,
} from './schema.ts'
import { updateResource } from './update-resource.ts'

export const resourceRoutes = defineRoutes({
  createResource: defineRoute({
    method: 'POST',
    path: '/v1/resources',
    tag: 'Resources',
    summary: 'Create a resource',
    description: 'A room, equipment or anything else of which event types require units.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { body: CreateResourceInput },
    response: { status: 201, body: Resource },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'plan_limit_exceeded', 'conflict'],
    handler: (ctx, { body }) => createResource(ctx, body),
  }),
  listResources: defineRoute({
    method: 'GET',
    path: '/v1/resources',
    tag: 'Resources',
    summary: 'List resources',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: ResourceQuery },
    response: { status: 200, body: ResourcePage },
    errors: ['validation_error', 'unauthorized', 'forbidden'],
    handler: async (ctx, { query }) => {
      const rows = await listResourcesInTenant(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map(presentResource), has_more }
    },
  }),
  getResource: defineRoute({
    method: 'GET',
    path: '/v1/resources/:id',
    tag: 'Resources',
    summary: 'Get a resource',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: ResourceParams },
    response: { status: 200, body: Resource },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      const row = await findResourceInTenant(openDb(ctx.env, 'decide'), ctx.caller, params.id)
      if (!row) throw notFound('resource')
      return presentResource(row)
    },
  }),
  updateResource: defineRoute({
    method: 'PATCH',
    path: '/v1/resources/:id',
    tag: 'Resources',
    summary: 'Update a resource',
    description:
      'Changes apply at once to what is offered. Existing bookings keep their units, also those above a lowered quantity.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: ResourceParams, body: UpdateResourceInput },
    response: { status: 200, body: Resource },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params, body }) => updateResource(ctx, params.id, body),
  }),
  deleteResource: defineRoute({
    method: 'DELETE',
    path: '/v1/resources/:id',
    tag: 'Resources',
    summary: 'Delete a resource',
    description:
      'If an event type requires it: 409 `conflict`, with `details.event_type_ids`. Its time off and its feeds are deleted with it.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: ResourceParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params }) => {
      await deleteResource(ctx, params.id)
      return undefined
    },
  }),
})
