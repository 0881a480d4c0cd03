import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { originOf } from '../../platform/http/context.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { PUT_AVAILABILITY } from '../hours/event-type/commands.ts'
import { getAvailability } from '../hours/event-type/get-availability.ts'
import {
  Availability,
  AvailabilityParams,
  AvailabilityQuery,
  AvailabilityRules,
  PutAvailabilityInput,
  SearchQuery,
  SoonestStarts,
} from '../hours/event-type/schema.ts'
import { listOpenSlots } from './list-open-slots.ts'
import { searchOpenStarts } from './search-open-starts.ts'

export const availabilityRoutes = defineRoutes({
  putAvailabilityRules: defineRoute({
    method: 'PUT',
    path: '/v1/event-types/:id/availability',
    tag: 'Availability',
    summary: "Set an event type's hours",
    description: 'Replaces the weekly rules, and the overrides when they are sent.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: AvailabilityParams, body: PutAvailabilityInput },
    response: { status: 200, body: AvailabilityRules },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params, body }) => {
      const { organizationId, isTest } = ctx.caller
      const tenant = { organizationId, isTest }
      const command = { origin: originOf(ctx), tenant, eventTypeId: params.id, input: body, now: ctx.now }
      return answerOf(await askEventType(ctx.env, params.id, PUT_AVAILABILITY, command))
    },
  }),
  getAvailabilityRules: defineRoute({
    method: 'GET',
    path: '/v1/event-types/:id/availability',
    tag: 'Availability',
    summary: "Get an event type's hours",
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: AvailabilityParams },
    response: { status: 200, body: AvailabilityRules },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { params }) => getAvailability(ctx, params.id),
  }),
  listOpenSlots: defineRoute({
    method: 'GET',
    path: '/v1/availability',
    tag: 'Availability',
    summary: 'List the open slots of an event type',
    description: 'Every slot in the response can be booked, and no other start can.',
    auth: 'none',
    knowsCallerBy: ['booking_id', 'member_id'],
    permission: 'anyone',
    scope: 'read',
    limit: 'counted',
    request: { query: AvailabilityQuery },
    response: { status: 200, body: Availability },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'not_found',
      'conflict',
      'rate_limit_exceeded',
    ],
    handler: (ctx, { query }) => listOpenSlots(ctx, query),
  }),
  searchOpenStarts: defineRoute({
    method: 'GET',
    path: '/v1/availability/search',
    tag: 'Availability',
    summary: 'Find the soonest open starts of several event types',
    description: 'Every start in the response can be booked, with the duration of its event type.',
    auth: 'none',
    knowsCallerBy: ['booking_id'],
    permission: 'anyone',
    scope: 'read',
    limit: 'counted',
    request: { query: SearchQuery },
    response: { status: 200, body: SoonestStarts },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'not_found',
      'conflict',
      'rate_limit_exceeded',
    ],
    handler: (ctx, { query }) => searchOpenStarts(ctx, query),
  }),
})
