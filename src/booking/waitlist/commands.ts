import { defineCommand } from '../../engine/turn/command.ts'
import type { Outcome } from '../../engine/turn/outcome.ts'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { CreatedWaitlistEntry, JoinWaitlistInput, WaitlistEntry } from './schema.ts'

type Command = {
  readonly origin: Origin
  readonly claim: IdempotencyClaim | null
  readonly now: AskedMs
  readonly isDry?: boolean
}

export type JoinWaitlist = Command & {
  readonly eventTypeId: string
  /** The tenant that the event type must belong to; null for an anonymous caller. */
  readonly tenant: Tenant | null
  readonly input: JoinWaitlistInput
}

export type LeaveWaitlist = Command & { readonly eventTypeId: string; readonly entryId: string }

export const JOIN_WAITLIST = defineCommand<JoinWaitlist, Outcome<CreatedWaitlistEntry>>('join_waitlist')
export const LEAVE_WAITLIST = defineCommand<LeaveWaitlist, Outcome<WaitlistEntry>>('leave_waitlist')
