/** Every code an answer can carry: its status and what it means. The one table behind answers and documentation. */
export const ERRORS = {
  validation_error: {
    status: 400,
    means: 'The request does not fit the schema; `details` maps each field to what is wrong.',
  },
  bad_request: { status: 400, means: 'The request is well-formed but breaks a rule.' },
  unauthorized: {
    status: 401,
    means: 'The key is missing, invalid, revoked or expired, or the cancel token is wrong.',
  },
  forbidden: { status: 403, means: 'The caller may not do this.' },
  org_suspended: {
    status: 403,
    means: 'The organization is suspended: it takes no bookings and invites nobody.',
  },
  plan_limit_exceeded: { status: 403, means: 'The plan allows no more; `details.limit` names what.' },
  not_found: { status: 404, means: 'Nothing the caller may see has this id.' },
  conflict: {
    status: 409,
    means: 'The request conflicts with what is there: a taken slot, a taken slug, a key in use.',
  },
  booking_cap_reached: { status: 409, means: "The event type's booking cap is reached for the period." },
  no_host_available: { status: 409, means: 'Every assigned host is busy at that time.' },
  no_calendar_a_connection: {
    status: 422,
    means: 'The conferencing provider needs an active Google connection.',
  },
  no_calendar_b_connection: {
    status: 422,
    means: 'The conferencing provider needs an active Microsoft 365 connection.',
  },
  rate_limit_exceeded: { status: 429, means: 'Too many requests; `Retry-After` says when to try again.' },
  internal_error: {
    status: 500,
    means: 'Something failed unexpectedly; the cause is in the log under the request id.',
  },
  service_unavailable: {
    status: 503,
    means:
      'Something behind the service did not answer; `Retry-After` says when to try again. The request may have been carried out anyway: send it again with the same Idempotency-Key, and nothing is done twice.',
  },
  bad_gateway: { status: 502, means: 'A provider that the request depends on failed.' },
} as const satisfies Record<string, { status: number; means: string }>

export type ErrorCode = keyof typeof ERRORS
