import type { Origin, Tenant } from '../../auth/caller.ts'
import type { IdempotencyClaim } from '../../http/idempotency.ts'
import type { JoinWaitlistInput } from './schema.ts'

type Command = { readonly origin: Origin; readonly claim: IdempotencyClaim | null; readonly now: number }

export type JoinWaitlist = Command & {
  readonly eventTypeId: string
  /** Whose event type it must be; null for the public. */
  readonly tenant: Tenant | null
  readonly input: JoinWaitlistInput
}

export type LeaveWaitlist = Command & { readonly entryId: string }

/** Time was freed that this event type has not offered yet to those who wait for it. */
export type TimeFreed = { readonly eventTypeId: string; readonly now: number }
