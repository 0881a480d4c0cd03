import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { originOf } from '../../platform/http/context.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { assertMayDecideAll } from '../bookings/approval/may-decide.ts'
import { commandOf, namedCommandOf, quietOf } from '../bookings/command-of.ts'
import { DeclineBookingInput } from '../bookings/input-schema.ts'
import { authorizeSeries } from './authorize-series.ts'
import { APPROVE_SERIES, CANCEL_SERIES, CREATE_SERIES, DECLINE_SERIES } from './commands.ts'
import { presentSeries } from './present.ts'
import {
  CancelledSeries,
  CancelSeriesInput,
  CreatedSeries,
  CreateSeriesInput,
  Series,
  SeriesParams,
  SeriesTokenQuery,
} from './schema.ts'

export const seriesRoutes = defineRoutes({
  createSeries: defineRoute({
    method: 'POST',
    path: '/v1/series',
    tag: 'Series',
    summary: 'Book a series',
    description:
      "Books 2 to 52 starts together: `count` of them at the same wall-clock time in the event type's zone, or the ones in `starts`. They are judged in their order, each seeing the ones before, and booked in one commit. If not all are open, `fail` books none and answers a `conflict` with `details.conflicts`; `skip` books the others. A monthly quota that ends in the middle refuses all of them. With a key always; without one up to the event type's `series_max`. Paid event types take no series. There is one event `series.created`, one event per booking, and one email with all of them in one `.ics`.",
    auth: 'optional-key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { body: CreateSeriesInput },
    response: { status: 201, body: CreatedSeries },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'org_suspended',
      'plan_limit_exceeded',
      'not_found',
      'conflict',
    ],
    handler: async (ctx, { body }) => {
      const command = {
        ...namedCommandOf(ctx, body.event_type_id),
        ...quietOf(ctx, body),
        input: body,
      }
      return answerOf(await askEventType(ctx.env, command.eventTypeId, CREATE_SERIES, command))
    },
  }),
  getSeries: defineRoute({
    method: 'GET',
    path: '/v1/series/:id',
    tag: 'Series',
    summary: 'Get a series',
    description:
      'With a key, or with its cancel token; then without bookings whose address was changed since. The token of a booking does not open the series, and that of the series opens no booking.',
    auth: 'key-or-token',
    permission: 'read',
    scope: 'read',
    limit: 'uncounted',
    request: { params: SeriesParams, query: SeriesTokenQuery },
    response: { status: 200, body: Series },
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limit_exceeded'],
    handler: async (ctx, { params, query }) => {
      const { series, bookings } = await authorizeSeries(ctx, params.id, query.token)
      return presentSeries(originOf(ctx), series, bookings)
    },
  }),
  cancelSeries: defineRoute({
    method: 'POST',
    path: '/v1/series/:id/cancel',
    tag: 'Series',
    summary: 'Cancel a series',
    description:
      'Cancels all its bookings that have not begun, or those that start at `from` or later, where they are now. With the cancel token, the cancellation deadline of each of them decides: all are cancelled or none. There is one event per booking and one email. Cancelling again succeeds.',
    auth: 'key-or-token',
    permission: 'book',
    scope: 'mode',
    limit: 'uncounted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: SeriesParams, query: SeriesTokenQuery, body: CancelSeriesInput },
    response: { status: 200, body: CancelledSeries },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict', 'rate_limit_exceeded'],
    handler: async (ctx, { params, query, body }) => {
      const { series, now } = await authorizeSeries(ctx, params.id, query.token)
      const { id: seriesId, eventTypeId } = series
      const said = { from: body.from ?? null, reason: body.reason ?? null }
      const command = { ...commandOf(ctx, eventTypeId), ...quietOf(ctx, body), ...said, now, seriesId }
      return answerOf(await askEventType(ctx.env, eventTypeId, CANCEL_SERIES, command))
    },
  }),
  approveSeries: defineRoute({
    method: 'POST',
    path: '/v1/series/:id/approve',
    tag: 'Series',
    summary: 'Approve a requested series',
    description:
      'Its pending requests become `confirmed`, all or none. Approving again succeeds. For members, admins and owners, and for hosts of all of them in any role.',
    auth: 'key',
    permission: 'read',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: SeriesParams },
    response: { status: 200, body: Series },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params }) => {
      const { series, bookings, now } = await authorizeSeries(ctx, params.id, undefined)
      await assertMayDecideAll(ctx.env, ctx.caller, bookings)
      const { id: seriesId, eventTypeId } = series
      const starts = bookings.map(({ startTime }) => startTime)
      const span = { start: Math.min(...starts), last: Math.max(...starts) }
      const command = { ...commandOf(ctx, eventTypeId), ...span, now, seriesId }
      return answerOf(await askEventType(ctx.env, eventTypeId, APPROVE_SERIES, command))
    },
  }),
  declineSeries: defineRoute({
    method: 'POST',
    path: '/v1/series/:id/decline',
    tag: 'Series',
    summary: 'Decline a requested series',
    description:
      'Its pending requests become `cancelled`, and their time is free at once. Declining again succeeds. For members, admins and owners, and for hosts of all of them in any role.',
    auth: 'key',
    permission: 'read',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: SeriesParams, body: DeclineBookingInput },
    response: { status: 200, body: Series },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, body }) => {
      const { series, bookings, now } = await authorizeSeries(ctx, params.id, undefined)
      await assertMayDecideAll(ctx.env, ctx.caller, bookings)
      const { id: seriesId, eventTypeId } = series
      const command = { ...commandOf(ctx, eventTypeId), now, seriesId, reason: body.reason ?? null }
      return answerOf(await askEventType(ctx.env, eventTypeId, DECLINE_SERIES, command))
    },
  }),
})
