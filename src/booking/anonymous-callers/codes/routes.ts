import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { requestVerification } from './request-verification.ts'
import { EmailVerification, RequestVerificationInput } from './schema.ts'

export const emailVerificationRoutes = defineRoutes({
  requestEmailVerification: defineRoute({
    method: 'POST',
    path: '/v1/email-verifications',
    tag: 'Bookings',
    summary: 'Email a verification code',
    description:
      'If an event type has `verify_email`, bookings and waitlist joins without a key need the code that this emails to the address, as `verification_code`. It is valid for ten minutes; five wrong attempts end it, and so does a booking with it; a new code replaces it. An address gets at most three an hour.',
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
