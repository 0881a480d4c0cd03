import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { answerFirst } from '../../platform/http/idempotency.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { assertMayDecide } from './approval/may-decide.ts'
import { authorizeChange } from './authorize-change.ts'
import { commandOf, overrideOf, quietOf } from './command-of.ts'
import { APPROVE_BOOKING, DECLINE_BOOKING, REASSIGN_BOOKING, RECORD_ATTENDANCE } from './commands.ts'
import { AttendanceInput, DeclineBookingInput, ReassignBookingInput, ResendInput } from './input-schema.ts'
import { manageUrl } from './invitee-token.ts'
import { ManageLink, ResentEmails } from './on-demand-schema.ts'
import { resendEmails } from './resend-emails.ts'
import { Booking, BookingParams } from './schema.ts'

/** What only the organization does with a booking. */
export const organizationRoutes = defineRoutes({
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
