import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { nowAsSeen } from '../../platform/limits/clock.ts'
import { commandOf, overrideOf, quietOf } from '../bookings/command-of.ts'
import { CANCEL_SESSION, RESCHEDULE_SESSION } from './commands.ts'
import { listSessions } from './list-sessions.ts'
import { findSessionInTenant } from './queries.ts'
import {
  CancelSessionInput,
  RescheduleSessionInput,
  Session,
  SessionList,
  SessionParams,
  SessionsParams,
  SessionsQuery,
} from './schema.ts'

type Body = { readonly reason?: string | null | undefined; readonly notify?: boolean | undefined }

/** The fields of a command about a session of the caller. */
async function commandFor(ctx: Context<TenantCaller>, sessionId: string, body: Body) {
  const { organizationId, isTest } = ctx.caller
  const tenant = { organizationId, isTest }
  const found = await findSessionInTenant(openDb(ctx.env, 'decide'), tenant, sessionId)
  if (!found) throw notFound('session')
  return {
    ...commandOf(ctx, found.eventTypeId),
    ...quietOf(ctx, body),
    now: nowAsSeen(isTest, found.sandboxNow, ctx.now),
    tenant,
    sessionId,
    reason: body.reason ?? null,
  }
}

export const sessionRoutes = defineRoutes({
  listSessions: defineRoute({
    method: 'GET',
    path: '/v1/event-types/:id/sessions',
    tag: 'Sessions',
    summary: 'List the sessions of a group event type',
    description:
      'The starts of an event type with `max_attendees` above 1 that are booked or held, with their seats and bookings.',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: SessionsParams, query: SessionsQuery },
    response: { status: 200, body: SessionList },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: (ctx, { params, query }) => listSessions(ctx, params.id, query),
  }),
  rescheduleSession: defineRoute({
    method: 'POST',
    path: '/v1/sessions/:id/reschedule',
    tag: 'Sessions',
    summary: 'Reschedule a session',
    description:
      'Moves all its bookings, or none: also requests, unpaid bookings and held seats, also by less than its length. It keeps its id, its length, and its host if they are free. Waitlist entries for its former start expire, and the time that it gives up is not offered to them. There is one event per booking and one email per person.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: SessionParams, body: RescheduleSessionInput },
    response: { status: 200, body: Session },
    errors: [
      'validation_error',
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'booking_cap_reached',
      'no_host_available',
    ],
    handler: async (ctx, { params, body }) => {
      const command = {
        ...(await commandFor(ctx, params.id, body)),
        ...overrideOf(ctx, body),
        newStart: body.new_start_time,
      }
      return answerOf(await askEventType(ctx.env, command.eventTypeId, RESCHEDULE_SESSION, command))
    },
  }),
  cancelSession: defineRoute({
    method: 'POST',
    path: '/v1/sessions/:id/cancel',
    tag: 'Sessions',
    summary: 'Cancel a session',
    description:
      'Cancels all its bookings and releases its held seats. Waitlist entries for its start expire and are not booked into it. Payments are refunded only if you refund them. Cancelling again succeeds.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: SessionParams, body: CancelSessionInput },
    response: { status: 200, body: Session },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, body }) => {
      const command = await commandFor(ctx, params.id, body)
      return answerOf(await askEventType(ctx.env, command.eventTypeId, CANCEL_SESSION, command))
    },
  }),
})
