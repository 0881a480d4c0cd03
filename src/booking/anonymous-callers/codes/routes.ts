import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { requestVerification } from './request-verification.ts'
import { EmailVerification, RequestVerificationInput } from './schema.ts'

export const emailVerificationRoutes = defineRoutes({
  requestEmailVerification: defineRoute({
    method: 'POST',
    path: '/v1/email-verifications',
    tag: 'Bookings',
    summary: 'Mail a verification code',
    description:
      'Where an event type has `verify_email`, bookings and waitlist joins without a key need the code that this mails to the address, as `verification_code`. It counts for ten minutes, five wrong ones end it, and so does what is booked with it; a new one replaces it. An address is sent three an hour.',
    auth: 'none',
    permission: 'anyone',
    scope: 'mode',
    limit: 'counted',
    idempotency: 'by-verb',
    request: { body: RequestVerificationInput },
    response: { status: 202, body: EmailVerification },
    errors: ['validation_error', 'bad_request', 'org_suspended', 'not_found', 'conflict'],
    handler: (ctx, { body }) => requestVerification(ctx, body),
  }),
})
