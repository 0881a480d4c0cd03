import type { ErrorCode } from '../reasons/error-codes.ts'
import { codeOf, hasNumbers, type Numbers, type Problem, type Reason } from '../reasons/reason.ts'
import type { REFUSALS, Thing } from '../reasons/refusals.ts'

type Details = Readonly<Record<string, unknown>>

/** An expected refusal: a reason with its numbers. It is plain data, so it crosses objects and queues unchanged. */
export type Refusal = {
  readonly code: ErrorCode
  readonly reason: Reason
  /** What the sentence needs besides the reason. */
  readonly numbers?: unknown
  /** What is wrong with fields, by their paths. */
  readonly fields?: Readonly<Record<string, Problem>>
  readonly details?: Details
}

/** A refusal as an exception: the edge turns it into the answer. */
export class Refused extends Error {
  readonly refusal: Refusal
  /** Whether the verb has already kept it under the request's Idempotency-Key. */
  readonly isKept: boolean
  constructor(refusal: Refusal, isKept = false) {
    super(refusal.reason)
    this.name = 'Refused'
    this.refusal = refusal
    this.isKept = isKept
  }
}

/** Rules that callers may want to distinguish when they break one: the `details.code` of a `bad_request`. */
export const RULES = [
  'email_unverified',
  'already_seated',
  'same_email',
  'too_many_attendees',
  'too_many_guests',
  'never_offered',
  'no_payment_provider',
  'series_is_paid',
  'payment_unavailable',
  'refund_too_large',
] as const satisfies readonly (keyof typeof REFUSALS.bad_request)[]

/** The `details.code` of a `conflict`, where callers may want to tell it from others. */
export const CONFLICTS = [
  'changed',
  'already_on_waitlist',
  'hold_expired',
  'hold_of_another',
  'waitlist_full',
  'schedule_in_use',
  'resource_in_use',
  'invitee_limit_reached',
  'payment_disputed',
  'price_changed',
  'payment_dispute_lost',
] as const satisfies readonly (keyof typeof REFUSALS.conflict)[]

/** The `details.code` of a `forbidden`. */
export const FORBIDDEN = [
  'too_late',
  'series_limit',
] as const satisfies readonly (keyof typeof REFUSALS.forbidden)[]

/** The `details.code` of a `bad_request` about a secret of another service. */
export const SECRET_REFUSED = 'refused'

/** What `details.code` says of a reason. */
const DETAIL_CODES: Readonly<Partial<Record<Reason, string>>> = {
  ...Object.fromEntries([...RULES, ...CONFLICTS, ...FORBIDDEN].map((reason) => [reason, reason])),
  secret_refused: SECRET_REFUSED,
  too_many_for_hold: 'too_many_attendees',
  too_many_to_pay: 'too_many_attendees',
}

/** The numbers that the sentence of a reason needs, and details for the caller. */
type Rest<R extends Reason> = [...Numbers<R>, details?: Details]

/** The refusal for a reason. */
export function because<R extends Reason>(reason: R, ...rest: Rest<R>): Refusal {
  return refusalFor(reason, rest)
}

/** The same to be thrown. */
export function refuse<R extends Reason>(reason: R, ...rest: Rest<R>): Refused {
  return new Refused(refusalFor(reason, rest))
}

function refusalFor(reason: Reason, rest: readonly unknown[]): Refusal {
  const [numbers, given] = (hasNumbers(reason) ? rest : [undefined, ...rest]) as [unknown?, Details?]
  const code = DETAIL_CODES[reason]
  const details = code === undefined ? given : { code, ...given }
  return {
    code: codeOf(reason),
    reason,
    ...(numbers !== undefined && { numbers }),
    ...(details && { details }),
  }
}

export function invalid(fields: Readonly<Record<string, Problem>>): Refused {
  const [field = 'body'] = Object.keys(fields)
  return new Refused({ ...because('invalid', { field }), fields })
}

export function missing(thing: Thing): Refusal {
  return because('missing', { thing })
}

export function notFound(thing: Thing): Refused {
  return new Refused(missing(thing))
}

/** Any request over a limit that its reason names, in `details` too; the answer says when to try again. */
export function tooOften<R extends keyof typeof REFUSALS.rate_limit_exceeded>(
  limit: R,
  waitMs: number,
  ...numbers: Numbers<R>
): Refusal {
  const details = { limit, retry_after: Math.max(1, Math.ceil(waitMs / 1000)) }
  return refusalFor(limit, [...numbers, details])
}
