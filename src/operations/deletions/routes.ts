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
      'Schedules the deletion of all its data. It is suspended at once, so its pages are gone and nothing can be booked. Within minutes its upcoming bookings are cancelled: invitees are notified, refunds follow the refund policy, calendar entries are removed. After the days of grace everything is deleted. An organization that moved to another deployment (see `PUT /v1/operator/moves/{orgId}`) is deleted without any of that, because its bookings continue there. A repeated call returns the same. On behalf of a user (`X-User-Id`), only the owner.',
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
    summary: 'Get the deletion of an organization',
    description: '404 once everything is deleted, and after it was taken back.',
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
    summary: 'Take back the deletion of an organization',
    description:
      'Until it begins. The organization takes bookings again, unless it was suspended before; bookings that were cancelled in the meantime stay cancelled. An organization that moved stays frozen.',
    scope: 'shared',
    request: { params: DeletionParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params }) => withdrawDeletion(ctx, params.id),
  }),
})
