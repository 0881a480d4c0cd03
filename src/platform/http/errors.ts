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

/** An expected refusal, as plain data: it crosses objects and queues unchanged. */
export type Refusal = {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  /** For our own code, never in an answer: the refusal is about the Idempotency-Key, not about the request. */
  readonly reason?: 'still_running' | 'other_request' | 'changing'
}

/** Whoever decided again and again lost each time to somebody else's change. */
export const CHANGING: Refusal = {
  code: 'conflict',
  message: 'This keeps changing; try again in a moment.',
  reason: 'changing',
}

/** Nothing of an organization is changed here while it moves to another deployment. */
export const MOVING: Refusal = {
  code: 'service_unavailable',
  message: 'This organization is moving to another place. Try again in a few minutes.',
}

/** A refusal on its way to the edge, where it becomes the answer. */
export class Refused extends Error {
  readonly refusal: Refusal
  /** Whether the verb has already kept it under the request's Idempotency-Key. */
  readonly isKept: boolean
  constructor(refusal: Refusal, isKept = false) {
    super(refusal.message)
    this.name = 'Refused'
    this.refusal = refusal
    this.isKept = isKept
  }
}

export function invalid(details: Readonly<Record<string, string>>): Refused {
  const [field] = Object.keys(details)
  return new Refused({
    code: 'validation_error',
    message: `The request is not valid: see ${field}.`,
    details,
  })
}

export function notFound(what: string): Refused {
  return new Refused({ code: 'not_found', message: `No such ${what}.` })
}

/** The rules that callers may want to tell apart when they break one: the `details.code` of a `bad_request`. */
export const RULES = [
  'email_unverified',
  'already_seated',
  'same_email',
  'too_many_attendees',
  'never_offered',
  'no_payment_provider',
  'refund_too_large',
] as const

/** The `details.code` of a `conflict`, where callers may want to tell it from others. */
export const CONFLICTS = [
  'already_on_waitlist',
  'hold_expired',
  'hold_of_another',
  'waitlist_full',
  'schedule_in_use',
  'invitee_limit_reached',
  'payment_disputed',
  'payment_dispute_lost',
] as const

export function badRequest(why: (typeof RULES)[number], message: string): Refusal {
  return { code: 'bad_request', message, details: { code: why } }
}

export function conflict(message: string): Refused {
  return new Refused({ code: 'conflict', message })
}

/** Too many requests for one thing, from any caller: `limit` names it, and the answer says when to try again. */
export function tooOften(limit: string, message: string, waitMs: number): Refused {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
  return new Refused({
    code: 'rate_limit_exceeded',
    message,
    details: { limit, retry_after: retryAfter },
  })
}
