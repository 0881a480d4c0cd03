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
  /** Whether it is only asked how it would be answered. */
  readonly isDry?: boolean
  readonly eventTypeId: string
}

export type CreateHold = Command & {
  /** The tenant that the event type must belong to; null for the public, who may hold any. */
  readonly tenant: Tenant | null
  readonly input: CreateHoldInput
}

/** What decides about a hold that is there: which, and around which start. */
type OfHold = Command & { readonly holdId: string }

export type ConfirmHold = OfHold & {
  /** Null for whoever has nothing but the token. */
  readonly tenant: Tenant | null
  readonly start: number
  readonly durationMinutes: number
  readonly input: ConfirmHoldInput
}

export type ReleaseHold = OfHold

/** What is over is tidied, and given to those who wait for it. */
export type TidyHolds = { readonly eventTypeId: string; readonly now: AskedMs }

export const CREATE_HOLD = defineCommand<CreateHold, Outcome<CreatedHold>>('create_hold')
export const CONFIRM_HOLD = defineCommand<ConfirmHold, Outcome<CreatedBooking>>('confirm_hold')
export const RELEASE_HOLD = defineCommand<ReleaseHold, Outcome<Hold>>('release_hold')
export const TIDY_HOLDS = defineCommand<TidyHolds, Outcome<null>>('tidy_holds')
