import type { RuleToSetAside } from '../../core/rules-to-set-aside.ts'
import { defineCommand } from '../../engine/turn/command.ts'
import type { Outcome } from '../../engine/turn/outcome.ts'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { Followed } from '../bookings/commands.ts'
import type { Session } from './schema.ts'

type Command = {
  readonly origin: Origin
  readonly claim: IdempotencyClaim | null
  readonly now: AskedMs
  readonly isDry?: boolean
  readonly tenant: Tenant
  readonly eventTypeId: string
  readonly sessionId: string
  readonly reason: string | null
  /** Whether invitees, attendees and the waitlist get no email about it. */
  readonly isQuiet: boolean
}

export type RescheduleSession = Command & {
  readonly newStart: number
  readonly setAside: readonly RuleToSetAside[]
  readonly follows?: Followed
}
export type CancelSession = Command

export const RESCHEDULE_SESSION = defineCommand<RescheduleSession, Outcome<Session>>('reschedule_session')
export const CANCEL_SESSION = defineCommand<CancelSession, Outcome<Session>>('cancel_session')
