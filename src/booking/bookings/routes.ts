import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { requestPayment } from '../../money/payments/request-payment.ts'
import { openDb } from '../../platform/db/client.ts'
import { cutPage } from '../../platform/http/page.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { authorizeMove, authorizeUpdate } from './authorize-change.ts'
import { commandOf, namedCommandOf, overrideOf, quietOf } from './command-of.ts'
import { CANCEL_BOOKING, CREATE_BOOKING, RESCHEDULE_BOOKING, UPDATE_BOOKING } from './commands.ts'
import { getBooking } from './get-booking.ts'
import { CancelBookingInput, CreateBookingInput, RescheduleBookingInput } from './input-schema.ts'
import { listBookings } from './list/list-bookings.ts'
import { findBookedEventTypes } from './list/queries.ts'
import { BookingQuery } from './list-filters/schema.ts'
import { organizationRoutes } from './organization-routes.ts'
import { isProven, withOwnStart } from './own-start.ts'
import { presentListed } from './present.ts'
import {
  Booking,
  BookingDetail,
  BookingDetailQuery,
  BookingPage,
  BookingParams,
  CreatedBooking,
  TokenQuery,
  UpdatedBooking,
} from './schema.ts'
import { assertOwnFields, UpdateBookingInput } from './update/input.ts'
import { asksSeats } from './update/people.ts'

export const bookingRoutes = defineRoutes({
  createBooking: defineRoute({
    method: 'POST',
    path: '/v1/bookings',
    tag: 'Bookings',
    summary: 'Book a slot',
    description:
      'Books an open slot. Of any number of requests for one slot, one gets it and the others get a `conflict` with the next open starts in `details.alternatives`. If it costs something, it is `pending_payment` and holds its time for 30 minutes; the invitee pays with `payment.client_secret`. If the invitee has that start already, a `409` has `details.code` = `already_booked` and `details.booking_id`, with a key or with the `cancel_token` of that booking as the bearer.',
    auth: 'optional-key',
    takesProof: true,
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { body: CreateBookingInput },
    response: { status: 201, body: CreatedBooking },
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
    handler: async (ctx, { body }) => {
      const command = {
        ...namedCommandOf(ctx, body.event_type_id),
        ...quietOf(ctx, body),
        ...overrideOf(ctx, body),
        input: body,
        isProven: isProven(ctx),
      }
      const outcome = await askEventType(ctx.env, command.eventTypeId, CREATE_BOOKING, command)
      const paid = await requestPayment(ctx.env, command.eventTypeId, outcome)
      return answerOf(await withOwnStart(ctx, body, paid))
    },
  }),
  listBookings: defineRoute({
    method: 'GET',
    path: '/v1/bookings',
    tag: 'Bookings',
    summary: 'List bookings',
    auth: 'key',
    permission: 'read',
    scope: 'read',
    limit: 'counted',
    request: { query: BookingQuery },
    response: { status: 200, body: BookingPage },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found'],
    handler: async (ctx, { query }) => {
      const db = openDb(ctx.env, 'decide')
      const { data, has_more } = cutPage(await listBookings(ctx.env, db, ctx.caller, query), query)
      const booked = query.expand ? await findBookedEventTypes(db, data) : null
      return { data: data.map((row) => presentListed(row, booked?.get(row.eventTypeId))), has_more }
    },
  }),
  getBooking: defineRoute({
    method: 'GET',
    path: '/v1/bookings/:id',
    tag: 'Bookings',
    summary: 'Get a booking',
    description:
      'With a key or with the cancel token: the invitee reads their own booking, and whether it can be changed now.',
    auth: 'key-or-token',
    permission: 'read',
    scope: 'read',
    limit: 'uncounted',
    request: { params: BookingParams, query: BookingDetailQuery },
    response: { status: 200, body: BookingDetail },
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limit_exceeded'],
    handler: (ctx, { params, query }) => getBooking(ctx, params.id, query.token),
  }),
  cancelBooking: defineRoute({
    method: 'POST',
    path: '/v1/bookings/:id/cancel',
    tag: 'Bookings',
    summary: 'Cancel a booking',
    description:
      'With a key or with the cancel token, which is valid until the start. Its time is free at once; cancelling again succeeds.',
    auth: 'key-or-token',
    permission: 'book',
    scope: 'mode',
    limit: 'uncounted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: BookingParams, query: TokenQuery, body: CancelBookingInput },
    response: { status: 200, body: Booking },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict', 'rate_limit_exceeded'],
    handler: async (ctx, { params, query, body }) => {
      const { read, now } = await authorizeMove(ctx, params.id, query.token)
      const { id: bookingId, eventTypeId } = read.booking
      const reason = body.reason ?? null
      const command = { ...commandOf(ctx, eventTypeId), ...quietOf(ctx, body), now, bookingId, reason, read }
      return answerOf(await askEventType(ctx.env, eventTypeId, CANCEL_BOOKING, command))
    },
  }),
  updateBooking: defineRoute({
    method: 'PATCH',
    path: '/v1/bookings/:id',
    tag: 'Bookings',
    summary: 'Change a booking',
    description:
      'Corrects everything except the time, the host and the price. With a key until the end of the booking; with the cancel token until its start, and only `invitee_name`, `invitee_timezone`, `invitee_locale`, `invitee_phone`, `notes`, `answers` and `guests`. If the place, the link or the people changed, everybody in it gets an email with a new `.ics`, and those who are no longer in it get a cancellation.',
    auth: 'key-or-token',
    permission: 'book',
    scope: 'mode',
    limit: 'uncounted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: BookingParams, query: TokenQuery, body: UpdateBookingInput },
    response: { status: 200, body: UpdatedBooking },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'rate_limit_exceeded',
    ],
    handler: async (ctx, { params, query, body }) => {
      const { read, now } = await authorizeUpdate(ctx, params.id, query.token, asksSeats(body))
      const quiet = quietOf(ctx, body)
      if (ctx.caller.kind === 'public') assertOwnFields(body)
      const { id: bookingId, eventTypeId } = read.booking
      const command = { ...commandOf(ctx, eventTypeId), ...quiet, now, bookingId, input: body, read }
      return answerOf(await askEventType(ctx.env, eventTypeId, UPDATE_BOOKING, command))
    },
  }),
  rescheduleBooking: defineRoute({
    method: 'POST',
    path: '/v1/bookings/:id/reschedule',
    tag: 'Bookings',
    summary: 'Reschedule a booking',
    description:
      'With a key or with the cancel token, which is valid until the start. The old time is free at the moment the new one is taken.',
    auth: 'key-or-token',
    permission: 'book',
    scope: 'mode',
    limit: 'uncounted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: BookingParams, query: TokenQuery, body: RescheduleBookingInput },
    response: { status: 200, body: Booking },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'booking_cap_reached',
      'no_host_available',
      'rate_limit_exceeded',
    ],
    handler: async (ctx, { params, query, body }) => {
      const { read, now } = await authorizeMove(ctx, params.id, query.token)
      const { id: bookingId, eventTypeId } = read.booking
      const command = {
        ...commandOf(ctx, eventTypeId),
        ...quietOf(ctx, body),
        now,
        bookingId,
        read,
        newStart: body.new_start_time,
        durationMinutes: body.duration ?? null,
        memberId: body.member_id ?? null,
        ...overrideOf(ctx, body),
        reason: body.reason ?? null,
      }
      return answerOf(await askEventType(ctx.env, eventTypeId, RESCHEDULE_BOOKING, command))
    },
  }),
  ...organizationRoutes,
})
