import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { requestDeletion } from './request-deletion.ts'
import { Deletion, DeletionParams, DeletionQuery } from './schema.ts'
import { getDeletion, withdrawDeletion } from './withdraw-deletion.ts'

const operators = {
  auth: 'service',
  permission: 'anyone',
  limit: 'uncounted',
  tag: 'Organizations',
} as const

export const deletionRoutes = defineRoutes({
  deleteOrganization: defineRoute({
    ...operators,
    method: 'DELETE',
    path: '/v1/operator/organizations/:id',
    summary: 'Delete an organization',
    description:
      'Schedules the deletion of everything that it has. At once it is suspended, so that its pages are gone and nothing is booked, and within minutes its bookings to come are cancelled: whoever booked is told, what the refund policy gives back is given back, calendar entries go. After the days of grace all of it is deleted. One that moved to another deployment (see `PUT /v1/operator/moves/{orgId}`) is deleted without any of that, for its bookings live on there. Asked again it answers the same. On behalf of a user (`X-User-Id`), only of the owner.',
    scope: 'shared',
    request: { params: DeletionParams, query: DeletionQuery },
    response: { status: 202, body: Deletion },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { params, query }) => requestDeletion(ctx, params.id, query.grace_days),
  }),
  getDeletion: defineRoute({
    ...operators,
    method: 'GET',
    path: '/v1/operator/organizations/:id/deletion',
    summary: 'See how the deletion of an organization stands',
    description: 'Once all is deleted it is 404, as is one that was taken back.',
    scope: 'read',
    request: { params: DeletionParams },
    response: { status: 200, body: Deletion },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { params }) => getDeletion(ctx, params.id),
  }),
  takeBackDeletion: defineRoute({
    ...operators,
    method: 'DELETE',
    path: '/v1/operator/organizations/:id/deletion',
    summary: 'Take the deletion of an organization back',
    description:
      'Until it begins. The organization takes bookings again, unless it was suspended before; bookings that were cancelled meanwhile stay so. One that moved goes on standing still.',
    scope: 'shared',
    request: { params: DeletionParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => withdrawDeletion(ctx, params.id),
  }),
})
