import { defineCommand } from '../../engine/turn/command.ts'
import type { Outcome } from '../../engine/turn/outcome.ts'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { CreatedBooking } from '../bookings/schema.ts'
import type { ConfirmHoldInput, CreatedHold, CreateHoldInput, Hold } from './schema.ts'

type Command = {
  readonly origin: Origin
  readonly claim: IdempotencyClaim | null
  readonly now: AskedMs
  /** Whether it is a dry run. */
  readonly isDry?: boolean
  /** Whether invitees, attendees and guests get no email about it. */
  readonly isQuiet?: boolean
  readonly eventTypeId: string
}

export type CreateHold = Command & {
  /** The tenant that the event type must belong to; null for an anonymous caller, who may hold any. */
  readonly tenant: Tenant | null
  readonly input: CreateHoldInput
}

/** A command about an existing hold around its start. */
type OfHold = Command & { readonly holdId: string }

export type ConfirmHold = OfHold & {
  /** Null if the call has only the token. */
  readonly tenant: Tenant | null
  readonly start: number
  readonly durationMinutes: number
  readonly input: ConfirmHoldInput
}

export type ReleaseHold = OfHold

/** Removes expired holds, and offers their time to the waitlist. */
export type TidyHolds = { readonly eventTypeId: string; readonly now: AskedMs }

export const CREATE_HOLD = defineCommand<CreateHold, Outcome<CreatedHold>>('create_hold')
export const CONFIRM_HOLD = defineCommand<ConfirmHold, Outcome<CreatedBooking>>('confirm_hold')
export const RELEASE_HOLD = defineCommand<ReleaseHold, Outcome<Hold>>('release_hold')
export const TIDY_HOLDS = defineCommand<TidyHolds, Outcome<null>>('tidy_holds')
