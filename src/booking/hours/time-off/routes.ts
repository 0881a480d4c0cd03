import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { createTimeOff } from './create-time-off.ts'
import { deleteTimeOff } from './delete-time-off.ts'
import { listTimeOff } from './list-time-off.ts'
import {
  CreatedTimeOff,
  CreateTimeOffInput,
  TimeOffPage,
  TimeOffParams,
  TimeOffQuery,
  UpdatedTimeOff,
  UpdateTimeOffInput,
} from './schema.ts'
import { updateTimeOff } from './update-time-off.ts'

const WHOSE = 'Members can do this with their own time off, owners and admins with all.'

export const timeOffRoutes = defineRoutes({
  createTimeOff: defineRoute({
    method: 'POST',
    path: '/v1/time-off',
    tag: 'Time Off',
    summary: 'Create time off',
    description: `${WHOSE} It is created for all of the members or for none. Existing bookings in this time stay and are listed; new ones cannot be made.`,
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { body: CreateTimeOffInput },
    response: { status: 201, body: CreatedTimeOff },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { body }) => createTimeOff(ctx, body),
  }),
  listTimeOff: defineRoute({
    method: 'GET',
    path: '/v1/time-off',
    tag: 'Time Off',
    summary: 'List time off',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: TimeOffQuery },
    response: { status: 200, body: TimeOffPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { query }) => listTimeOff(ctx, query),
  }),
  updateTimeOff: defineRoute({
    method: 'PATCH',
    path: '/v1/time-off/:id',
    tag: 'Time Off',
    summary: 'Change time off',
    description: WHOSE,
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { params: TimeOffParams, body: UpdateTimeOffInput },
    response: { status: 200, body: UpdatedTimeOff },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params, body }) => updateTimeOff(ctx, params.id, body),
  }),
  deleteTimeOff: defineRoute({
    method: 'DELETE',
    path: '/v1/time-off/:id',
    tag: 'Time Off',
    summary: 'Delete time off',
    description: WHOSE,
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { params: TimeOffParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params }) => {
      await deleteTimeOff(ctx, params.id)
      return undefined
    },
  }),
})
