import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { openDb } from '../../platform/db/client.ts'
import { originOf } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { expectedBy, IfMatch, tagged } from '../../platform/http/if-match.ts'
import { cutPage } from '../../platform/http/page.ts'
import { defineRoute, defineRoutes, WholeAnswer } from '../../platform/http/route.ts'
import { bookableOf } from '../bookable/judge.ts'
import { selectFacts } from '../bookable/statements.ts'
import { assertReturn } from './assert-return.ts'
import { UPDATE_EVENT_TYPE } from './commands.ts'
import { countBookings, NOTHING_TAKEN } from './count-bookings.ts'
import { createEventType } from './create-event-type.ts'
import { deleteEventType } from './delete-event-type.ts'
import { CreateEventTypeInput, UpdateEventTypeInput } from './input-schema.ts'
import { presentPublicEventType } from './present.ts'
import { presentJudged } from './present-judged.ts'
import { withPreviews } from './preview.ts'
import { findEventTypeInTenant, findPublicEventType, listEventTypesInTenant } from './queries.ts'
import { EventType, EventTypePage, EventTypeParams, EventTypeQuery, PublicEventType } from './schema.ts'

const CONNECTIONS = ['no_calendar_a_connection', 'no_calendar_b_connection'] as const

export const eventTypeRoutes = defineRoutes({
  createEventType: defineRoute({
    method: 'POST',
    path: '/v1/event-types',
    tag: 'Event Types',
    summary: 'Create an event type',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { body: CreateEventTypeInput },
    response: { status: 201, body: EventType },
    errors: [
      'validation_error',
      'unauthorized',
      'forbidden',
      'plan_limit_exceeded',
      'conflict',
      ...CONNECTIONS,
    ],
    handler: (ctx, { body }) => createEventType(ctx, body),
  }),
  listEventTypes: defineRoute({
    method: 'GET',
    path: '/v1/event-types',
    tag: 'Event Types',
    summary: 'List event types',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: EventTypeQuery },
    response: { status: 200, body: EventTypePage },
    errors: ['validation_error', 'unauthorized', 'forbidden'],
    handler: async (ctx, { query }) => {
      const db = openDb(ctx.env, 'decide')
      const rows = await listEventTypesInTenant(db, ctx.caller, query, ctx.now)
      const { data, has_more } = cutPage(rows, query)
      return { data: await presentJudged(ctx, db, data), has_more }
    },
  }),
  getEventType: defineRoute({
    method: 'GET',
    path: '/v1/event-types/:id',
    tag: 'Event Types',
    summary: 'Get an event type',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { params: EventTypeParams },
    response: { status: 200, body: EventType },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      const db = openDb(ctx.env, 'decide')
      const row = await findEventTypeInTenant(db, ctx.caller, params.id, ctx.now)
      if (!row) throw notFound('event type')
      const [shown] = await presentJudged(ctx, db, [row])
      return tagged(shown!)
    },
  }),
  updateEventType: defineRoute({
    method: 'PATCH',
    path: '/v1/event-types/:id',
    tag: 'Event Types',
    summary: 'Update an event type',
    description:
      'Takes any subset of the writable fields; null clears a nullable one. `If-Match` or `updated_at` makes sure that nobody changed it in between; its bookings do not count as changes, its hours and hosts do.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: EventTypeParams, headers: IfMatch, body: UpdateEventTypeInput },
    response: { status: 200, body: EventType },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict', ...CONNECTIONS],
    handler: async (ctx, { params, headers, body }) => {
      const { organizationId, isTest } = ctx.caller
      const tenant = { organizationId, isTest }
      const expected = expectedBy(headers, body)
      const command = { origin: originOf(ctx), tenant, id: params.id, input: body, expected, now: ctx.now }
      const db = openDb(ctx.env, 'decide')
      await assertReturn(db, ctx.env, tenant, body)
      const changed = answerOf(await askEventType(ctx.env, params.id, UPDATE_EVENT_TYPE, command))
      if (changed instanceof WholeAnswer) return changed
      const [[shown], [judged]] = await Promise.all([
        withPreviews(db, ctx.env, tenant, [changed]),
        selectFacts(db, tenant, params.id, ctx.now),
      ])
      return tagged({ ...shown!, bookable: bookableOf(judged!.facts) })
    },
  }),
  deleteEventType: defineRoute({
    method: 'DELETE',
    path: '/v1/event-types/:id',
    tag: 'Event Types',
    summary: 'Delete an event type',
    description: 'Hides it for good and leaves its bookings readable.',
    auth: 'key',
    permission: 'administer',
    scope: 'mode',
    limit: 'counted',
    request: { params: EventTypeParams },
    response: { status: 204 },
    errors: ['unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { params }) => {
      await deleteEventType(ctx, params.id)
      return undefined
    },
  }),
  getPublicEventType: defineRoute({
    method: 'GET',
    path: '/v1/public/event-types/:id',
    tag: 'Booking Pages',
    summary: "Get an event type's public fields",
    auth: 'none',
    permission: 'anyone',
    scope: 'read',
    limit: 'counted',
    request: { params: EventTypeParams },
    response: { status: 200, body: PublicEventType },
    errors: ['not_found'],
    handler: async (ctx, { params }) => {
      const db = openDb(ctx.env, 'read')
      const found = await findPublicEventType(db, params.id)
      const row = found?.eventType
      if (!row?.active || row.isTest) throw notFound('event type')
      const counts = await countBookings(db, [row], ctx.now)
      const taken = counts.get(row.id) ?? NOTHING_TAKEN
      return { ...presentPublicEventType(row, taken), ...(found?.toChoose && { hosts: found.toChoose }) }
    },
  }),
})
