import { getBookingPayment } from '../../money/payments/get-booking-payment.ts'
import { BookingPayment } from '../../money/payments/schema.ts'
import { defineRoute, defineRoutes } from '../../platform/http/route.ts'
import { authorizeChange } from './authorize-change.ts'
import { BookingParams, TokenQuery } from './schema.ts'

export const bookingPaymentRoutes = defineRoutes({
  getBookingPayment: defineRoute({
    method: 'GET',
    path: '/v1/bookings/:id/payment',
    tag: 'Payments',
    summary: "Get a booking's payment",
    description:
      'With a key or with the cancel token: for an invitee who comes back to pay, or who was promoted from a waitlist.',
    auth: 'key-or-token',
    permission: 'book',
    scope: 'read',
    limit: 'counted',
    request: { params: BookingParams, query: TokenQuery },
    response: { status: 200, body: BookingPayment },
    errors: ['unauthorized', 'forbidden', 'not_found', 'bad_gateway', 'rate_limit_exceeded'],
    handler: async (ctx, { params, query }) => {
      const { booking } = await authorizeChange(ctx, params.id, query.token)
      return getBookingPayment(ctx.env, booking.id)
    },
  }),
})
