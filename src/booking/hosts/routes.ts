import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { selectEventTypeInTenant } from '../event-types/statements.ts'
import { ADD_HOST, REMOVE_HOST, UPDATE_HOST } from './commands.ts'
import { presentHost } from './present.ts'
import { selectHosts } from './queries.ts'
import { AddHostInput, Host, HostList, HostParams, HostsParams, UpdateHostInput } from './schema.ts'

function commandBase(ctx: Context<TenantCaller>, eventTypeId: string) {
  const { organizationId, isTest } = ctx.caller
  return { origin: originOf(ctx), tenant: { organizationId, isTest }, eventTypeId, now: ctx.now }
}

export const hostRoutes = defineRoutes({
  addHost: defineRoute({
    method: 'POST',
    path: '/v1/event-types/:id/hosts',
    tag: 'Event Type Hosts',
    summary: 'Add a host',
    description:
      'With a strategy, each booking is assigned to one free host; with strategy `none`, every host takes part in each booking. With parts, all hosts whose `part` is `required` take part, and as many of the others as `pool_size` of the event type says.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: HostsParams, body: AddHostInput },
    response: { status: 201, body: Host },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, body }) => {
      const command = { ...commandBase(ctx, params.id), input: body, claim: ctx.claim }
      return answerOf(await askEventType(ctx.env, params.id, ADD_HOST, command))
    },
  }),
  listHosts: defineRoute({
    method: 'GET',
    path: '/v1/event-types/:id/hosts',
    tag: 'Event Type Hosts',
    summary: 'List the hosts of an event type',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: HostsParams },
    response: { status: 200, body: HostList },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      const db = openDb(ctx.env, 'decide')
      const [[found], hosts] = await db.batch([
        selectEventTypeInTenant(db, ctx.caller, params.id),
        selectHosts(db, params.id),
      ])
      if (!found) throw notFound('event type')
      return { data: hosts.map(presentHost) }
    },
  }),
  updateHost: defineRoute({
    method: 'PATCH',
    path: '/v1/event-types/:id/hosts/:hostId',
    tag: 'Event Type Hosts',
    summary: 'Change a host',
    description: "Takes the host's or the member's id. It moves no booking.",
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: HostParams, body: UpdateHostInput },
    response: { status: 200, body: Host },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params, body }) => {
      const command = { ...commandBase(ctx, params.id), hostId: params.hostId, input: body }
      return answerOf(await askEventType(ctx.env, params.id, UPDATE_HOST, command))
    },
  }),
  removeHost: defineRoute({
    method: 'DELETE',
    path: '/v1/event-types/:id/hosts/:hostId',
    tag: 'Event Type Hosts',
    summary: 'Remove a host',
    description: "Takes the host's or the member's id. The host keeps their bookings.",
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: HostParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      const command = { ...commandBase(ctx, params.id), hostId: params.hostId }
      answerOf(await askEventType(ctx.env, params.id, REMOVE_HOST, command))
      return undefined
    },
  }),
})
