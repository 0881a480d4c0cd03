import type { Origin, Tenant } from '../../auth/caller.ts'
import type { Answer } from '../../http/answer.ts'
import type { Refusal } from '../../http/errors.ts'
import type { IdempotencyClaim } from '../../http/idempotency.ts'
import type { CreateBookingInput } from './schema.ts'

/** What an EventType object is asked to do: plain data, whoever asks and however they came in. */
type Command = {
  readonly origin: Origin
  readonly claim: IdempotencyClaim | null
  readonly now: number
}

export type CreateBooking = Command & {
  readonly eventTypeId: string
  /** Whose event type it must be; null for the public, who may book any. */
  readonly tenant: Tenant | null
  readonly input: CreateBookingInput
}

export type CancelBooking = Command & {
  readonly eventTypeId: string
  readonly bookingId: string
  readonly reason: string | null
  /** Leaves a booking alone that was paid in between. */
  readonly isOnlyIfUnpaid?: boolean
}

export type ConfirmBooking = {
  readonly eventTypeId: string
  readonly bookingId: string
  readonly paymentId: string
  /** Null where it is known, or simulated. */
  readonly intentId: string | null
  readonly origin: Origin
  readonly now: number
}

export type RescheduleBooking = Command & {
  readonly eventTypeId: string
  readonly bookingId: string
  readonly newStart: number
  readonly reason: string | null
}

/** The link of the meeting that was made for a booking or a session. */
export type LinkMeeting = { readonly holderId: string; readonly url: string; readonly now: number }

/** How a command ended. A refusal is an expected end, so it is a value. */
export type Outcome =
  | {
      readonly kind: 'done'
      readonly body: Readonly<Record<string, unknown>>
      /** Set where all was so already, and the body tells of a row as it is. */
      readonly isUnchanged?: true
    }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal
      /** Set where whoever asks again with the Idempotency-Key is told the same. */
      readonly isKept?: true
    }
  | { readonly kind: 'replayed'; readonly answer: Answer }

export function refused(refusal: Refusal): Outcome {
  return { kind: 'refused', refusal }
}

export function unchanged(body: Readonly<Record<string, unknown>>): Outcome {
  return { kind: 'done', body, isUnchanged: true }
}
