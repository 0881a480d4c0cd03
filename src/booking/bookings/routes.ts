import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { requestPayment } from '../../money/payments/request-payment.ts'
import { openDb } from '../../platform/db/client.ts'
import { isId } from '../../platform/db/ids.ts'
import { notFound } from '../../platform/http/errors.ts'
import { answerFirst } from '../../platform/http/idempotency.ts'
import { cutPage } from '../../platform/http/page.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { assertMayDecide } from './approval/may-decide.ts'
import { authorizeChange, authorizeUpdate } from './authorize-change.ts'
import { commandOf, namedCommandOf, overrideOf, quietOf } from './command-of.ts'
import {
  APPROVE_BOOKING,
  CANCEL_BOOKING,
  CREATE_BOOKING,
  DECLINE_BOOKING,
  REASSIGN_BOOKING,
  RECORD_ATTENDANCE,
  RESCHEDULE_BOOKING,
  UPDATE_BOOKING,
} from './commands.ts'
import { getBooking } from './get-booking.ts'
import {
  AttendanceInput,
  CancelBookingInput,
  CreateBookingInput,
  DeclineBookingInput,
  ReassignBookingInput,
  RescheduleBookingInput,
  ResendInput,
} from './input-schema.ts'
import { manageUrl } from './invitee-token.ts'
import { findBookedEventTypes, listBookingsInTenant } from './list/queries.ts'
import { withOwnStart } from './own-start.ts'
import { presentListed } from './present.ts'
import { resendEmails } from './resend-emails.ts'
import {
  Booking,
  BookingDetail,
  BookingDetailQuery,
  BookingPage,
  BookingParams,
  BookingQuery,
  CreatedBooking,
  ManageLink,
  ResentEmails,
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
      if (query.event_type_id && !query.event_type_id.every(isId)) throw notFound('event type')
      if (query.assigned_host_id !== undefined && !isId(query.assigned_host_id)) throw notFound('host')
      if (query.session_id !== undefined && !isId(query.session_id)) throw notFound('session')
      const db = openDb(ctx.env, 'decide')
      const { data, has_more } = cutPage(await listBookingsInTenant(db, ctx.caller, query), query)
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
      const { booking, now } = await authorizeChange(ctx, params.id, query.token)
      const { id: bookingId, eventTypeId } = booking
      const reason = body.reason ?? null
      const command = { ...commandOf(ctx, eventTypeId), ...quietOf(ctx, body), now, bookingId, reason }
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
      const { booking, now } = await authorizeChange(ctx, params.id, query.token)
      const { id: bookingId, eventTypeId } = booking
      const command = {
        ...commandOf(ctx, eventTypeId),
        ...quietOf(ctx, body),
        now,
        bookingId,
        newStart: body.new_start_time,
        durationMinutes: body.duration ?? null,
        memberId: body.member_id ?? null,
        ...overrideOf(ctx, body),
        reason: body.reason ?? null,
      }
      return answerOf(await askEventType(ctx.env, eventTypeId, RESCHEDULE_BOOKING, command))
    },
  }),
  reassignBooking: defineRoute({
    method: 'POST',
    path: '/v1/bookings/:id/reassign',
    tag: 'Bookings',
    summary: 'Hand a booking over to another host',
    description:
      'Another host of the event type gets it at the same time; in a group, the whole session. Its status stays. Until its end; if it is that host’s already, nothing changes.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: BookingParams, body: ReassignBookingInput },
    response: { status: 200, body: Booking },
    errors: [
      'validation_error',
      'bad_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'no_host_available',
    ],
    handler: async (ctx, { params, body }) => {
      const { booking, now } = await authorizeChange(ctx, params.id, undefined)
      const { id: bookingId, eventTypeId, startTime: start } = booking
      const command = {
        ...commandOf(ctx, eventTypeId),
        ...quietOf(ctx, body),
        now,
        bookingId,
        start,
        memberId: body.member_id ?? null,
        fromMemberId: body.from_member_id ?? null,
        reason: body.reason ?? null,
        ...overrideOf(ctx, body),
      }
      return answerOf(await askEventType(ctx.env, eventTypeId, REASSIGN_BOOKING, command))
    },
  }),
  getManageLink: defineRoute({
    method: 'POST',
    path: '/v1/bookings/:id/manage-link',
    tag: 'Bookings',
    summary: "Get the invitee's link",
    description: 'The page on which the invitee changes, reschedules and cancels the booking.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    hasDryRun: true,
    request: { params: BookingParams },
    response: { status: 200, body: ManageLink },
    errors: ['unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params }) => {
      const { booking } = await authorizeChange(ctx, params.id, undefined)
      return answerFirst(ctx, 200, { url: await manageUrl(ctx.env, booking) })
    },
  }),
  resendEmails: defineRoute({
    method: 'POST',
    path: '/v1/bookings/:id/resend',
    tag: 'Bookings',
    summary: 'Send the confirmation again',
    description:
      'Sends the current confirmation with its `.ics` to the invitee, or to everybody in the booking. Recipients who got 20 emails today are left out; if nobody is left, this is 429.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    hasDryRun: true,
    request: { params: BookingParams, body: ResendInput },
    response: { status: 202, body: ResentEmails },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: (ctx, { params, body }) => resendEmails(ctx, params.id, body),
  }),
  recordAttendance: defineRoute({
    method: 'POST',
    path: '/v1/bookings/:id/attendance',
    tag: 'Bookings',
    summary: 'Record attendance',
    description:
      'Once the booking has begun, also if it was cancelled after its start. A second call replaces the first. Before the start, and if the booking was cancelled before it, this is a `conflict`.',
    auth: 'key',
    permission: 'book',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    request: { params: BookingParams, body: AttendanceInput },
    response: { status: 200, body: Booking },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, body }) => {
      const { booking, now } = await authorizeChange(ctx, params.id, undefined)
      const { id: bookingId, eventTypeId } = booking
      const noShows = body.no_shows.map((id) => id.toLowerCase())
      const said = { noShows, hostAbsent: body.host_absent }
      const command = { ...commandOf(ctx, eventTypeId), now, bookingId, ...said }
      return answerOf(await askEventType(ctx.env, eventTypeId, RECORD_ATTENDANCE, command))
    },
  }),
  approveBooking: defineRoute({
    method: 'POST',
    path: '/v1/bookings/:id/approve',
    tag: 'Bookings',
    summary: 'Approve a requested booking',
    description:
      'It becomes `confirmed`, or `pending_payment` for 24 hours if it costs something. Approving again succeeds. Approving too late is a `conflict`. For members, admins and owners, and its hosts in any role.',
    auth: 'key',
    permission: 'read',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: BookingParams },
    response: { status: 200, body: Booking },
    errors: ['bad_request', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params }) => {
      const { booking, now } = await authorizeChange(ctx, params.id, undefined)
      await assertMayDecide(ctx.env, ctx.caller, booking.id)
      const { id: bookingId, eventTypeId, startTime: start } = booking
      const command = { ...commandOf(ctx, eventTypeId), now, bookingId, start }
      return answerOf(await askEventType(ctx.env, eventTypeId, APPROVE_BOOKING, command))
    },
  }),
  declineBooking: defineRoute({
    method: 'POST',
    path: '/v1/bookings/:id/decline',
    tag: 'Bookings',
    summary: 'Decline a requested booking',
    description:
      'It becomes `cancelled`, its time is free at once, and it does not count toward the monthly quota. Declining again succeeds. For members, admins and owners, and its hosts in any role.',
    auth: 'key',
    permission: 'read',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    hasDryRun: true,
    request: { params: BookingParams, body: DeclineBookingInput },
    response: { status: 200, body: Booking },
    errors: ['validation_error', 'unauthorized', 'forbidden', 'not_found', 'conflict'],
    handler: async (ctx, { params, body }) => {
      const { booking, now } = await authorizeChange(ctx, params.id, undefined)
      await assertMayDecide(ctx.env, ctx.caller, booking.id)
      const { id: bookingId, eventTypeId } = booking
      const reason = body.reason ?? null
      const command = { ...commandOf(ctx, eventTypeId), now, bookingId, reason }
      return answerOf(await askEventType(ctx.env, eventTypeId, DECLINE_BOOKING, command))
    },
  }),
})
