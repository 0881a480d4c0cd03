import { MINUTE_MS } from '../../core/time-units.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { requestPayment } from '../../money/payments/request-payment.ts'
import { originOf } from '../../platform/http/context.ts'
import { defineRoute, defineRoutes, WholeAnswer } from '../../platform/http/route.ts'
import { commandOf, namedCommandOf, quietOf, tenantOf } from '../bookings/command-of.ts'
import { CreatedBooking } from '../bookings/schema.ts'
import { authorizeHold, authorizeHolder } from './authorize-hold.ts'
import { CONFIRM_HOLD, CREATE_HOLD, RELEASE_HOLD } from './commands.ts'
import { presentHold } from './present.ts'
import {
  ConfirmHoldInput,
  ConfirmQuery,
  CreatedHold,
  CreateHoldInput,
  Hold,
  HoldParams,
  HoldTokenQuery,
} from './schema.ts'

export const holdRoutes = defineRoutes({
  createHold: defineRoute({
    method: 'POST',
    path: '/v1/holds',
    tag: 'Holds',
    summary: 'Hold a slot',
    description:
      'Holds an open slot until `expires_at`, as a booking would: its time, its seats and its place in the cap. It does not count toward the monthly quota, but is refused while that is used up. No notification is sent. It is refused like a booking.',
    auth: 'optional-key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { body: CreateHoldInput },
    response: { status: 201, body: CreatedHold },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'org_suspended',
      'plan_limit_exceeded',
      'not_found',
      'conflict',
      'booking_cap_reached',
      'no_host_available',
    ],
    handler: async (ctx, { body }) => {
      const command = { ...namedCommandOf(ctx, body.event_type_id), input: body }
      return answerOf(await askEventType(ctx.env, command.eventTypeId, CREATE_HOLD, command))
    },
  }),
  getHold: defineRoute({
    method: 'GET',
    path: '/v1/holds/:id',
    tag: 'Holds',
    summary: 'Get a hold',
    description: 'With a key or with its token.',
    auth: 'key-or-token',
    permission: 'read',
    scope: 'read',
    limit: 'uncounted',
    request: { params: HoldParams, query: HoldTokenQuery },
    response: { status: 200, body: Hold },
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limit_exceeded'],
    handler: async (ctx, { params, query }) => {
      const { hold, now } = await authorizeHold(ctx, params.id, query.token)
      return presentHold(originOf(ctx), hold, now)
    },
  }),
  releaseHold: defineRoute({
    method: 'POST',
    path: '/v1/holds/:id/release',
    tag: 'Holds',
    summary: 'Release a hold',
    description:
      'With a key or with its token. Its time is free at once. Releasing an ended hold returns it unchanged.',
    auth: 'key-or-token',
    permission: 'book',
    scope: 'mode',
    limit: 'uncounted',
    idempotency: 'by-verb',
    request: { params: HoldParams, query: HoldTokenQuery },
    response: { status: 200, body: Hold },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict', 'rate_limit_exceeded'],
    handler: async (ctx, { params, query }) => {
      const { hold, now } = await authorizeHold(ctx, params.id, query.token)
      const { id: holdId, eventTypeId } = hold
      const command = { ...commandOf(ctx, eventTypeId), now, holdId }
      return answerOf(await askEventType(ctx.env, eventTypeId, RELEASE_HOLD, command))
    },
  }),
  confirmHold: defineRoute({
    method: 'POST',
    path: '/v1/holds/:id/confirm',
    tag: 'Holds',
    summary: 'Confirm a hold',
    description:
      'With its token. Before `expires_at` it succeeds at the same time and with the same host, whatever happened in the meantime; only a suspension, a used-up monthly quota and the payment can refuse it, and the time is still held then. After that it is a `conflict` with `hold_expired` in `details.code`, or with `if_still_free` decided like a new booking. Confirming again with the same `invitee_email` returns the same booking; with another one it is a `conflict` with `hold_of_another`.',
    auth: 'key-or-token',
    permission: 'book',
    scope: 'mode',
    limit: 'uncounted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: HoldParams, query: ConfirmQuery, body: ConfirmHoldInput },
    response: {
      status: 201,
      body: CreatedBooking,
      otherwise: { status: 200, means: 'It was confirmed before: the same booking, as it is now.' },
    },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'org_suspended',
      'plan_limit_exceeded',
      'not_found',
      'conflict',
      'booking_cap_reached',
      'no_host_available',
      'bad_gateway',
    ],
    handler: async (ctx, { params, query, body }) => {
      const { hold } = await authorizeHolder(ctx, params.id, query.token)
      const { id: holdId, eventTypeId } = hold
      const command = {
        ...commandOf(ctx, eventTypeId),
        ...quietOf(ctx, body),
        holdId,
        tenant: tenantOf(ctx.caller),
        start: hold.startTime,
        durationMinutes: (hold.endTime - hold.startTime) / MINUTE_MS,
        input: body,
      }
      const confirmed = await askEventType(ctx.env, eventTypeId, CONFIRM_HOLD, command)
      const outcome = ctx.isDry ? confirmed : await requestPayment(ctx.env, eventTypeId, confirmed)
      const answer = answerOf(outcome)
      const isAgain = confirmed.kind === 'done' && confirmed.isUnchanged
      return isAgain && !(answer instanceof WholeAnswer)
        ? new WholeAnswer({ status: 200, body: answer }, false)
        : answer
    },
  }),
})
