import { openDb } from '../../../platform/db/client.ts'
import { isId } from '../../../platform/db/ids.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { expectedBy, IfMatch, tagged } from '../../../platform/http/if-match.ts'
import { cutPage } from '../../../platform/http/page.ts'
import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { createSchedule } from './create-schedule.ts'
import { deleteSchedule } from './delete-schedule.ts'
import { presentSchedule } from './present.ts'
import { findScheduleInTenant, listSchedulesInTenant } from './queries.ts'
import {
  CreateScheduleInput,
  Schedule,
  SchedulePage,
  ScheduleParams,
  ScheduleQuery,
  UpdateScheduleInput,
} from './schema.ts'
import { updateSchedule } from './update-schedule.ts'

const WHOSE = 'Members can do this with their own hours, owners and admins with all.'

export const scheduleRoutes = defineRoutes({
  createSchedule: defineRoute({
    method: 'POST',
    path: '/v1/schedules',
    tag: 'Schedules',
    summary: 'Create a schedule',
    description: WHOSE,
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { body: CreateScheduleInput },
    response: { status: 201, body: Schedule },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { body }) => createSchedule(ctx, body),
  }),
  listSchedules: defineRoute({
    method: 'GET',
    path: '/v1/schedules',
    tag: 'Schedules',
    summary: 'List schedules',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: ScheduleQuery },
    response: { status: 200, body: SchedulePage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      if (query.member_id !== undefined && !isId(query.member_id)) throw notFound('member')
      const rows = await listSchedulesInTenant(openDb(ctx.env, 'decide'), ctx.caller, query)
      const { data, has_more } = cutPage(rows, query)
      return { data: data.map(presentSchedule), has_more }
    },
  }),
  getSchedule: defineRoute({
    method: 'GET',
    path: '/v1/schedules/:id',
    tag: 'Schedules',
    summary: 'Get a schedule',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: ScheduleParams },
    response: { status: 200, body: Schedule },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      const row = await findScheduleInTenant(openDb(ctx.env, 'decide'), ctx.caller, params.id)
      if (!row) throw notFound('schedule')
      return tagged(presentSchedule(row))
    },
  }),
  updateSchedule: defineRoute({
    method: 'PATCH',
    path: '/v1/schedules/:id',
    tag: 'Schedules',
    summary: 'Change a schedule',
    description: `${WHOSE} Existing bookings do not change. \`If-Match\` or \`updated_at\` makes sure that nobody changed it in between.`,
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { params: ScheduleParams, headers: IfMatch, body: UpdateScheduleInput },
    response: { status: 200, body: Schedule },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, headers, body }) =>
      tagged(await updateSchedule(ctx, params.id, body, expectedBy(headers, body))),
  }),
  deleteSchedule: defineRoute({
    method: 'DELETE',
    path: '/v1/schedules/:id',
    tag: 'Schedules',
    summary: 'Delete a schedule',
    description: `${WHOSE} A schedule that an event type or a host uses, or that is the default of a member, cannot be deleted: 409 \`conflict\`.`,
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    request: { params: ScheduleParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params }) => {
      await deleteSchedule(ctx, params.id)
      return undefined
    },
  }),
})
