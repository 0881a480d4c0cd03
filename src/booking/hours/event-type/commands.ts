import { defineCommand } from '../../../engine/turn/command.ts'
import type { Outcome } from '../../../engine/turn/outcome.ts'
import type { Origin, Tenant } from '../../../platform/auth/caller.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import type { AvailabilityRules, PutAvailabilityInput } from './schema.ts'

export type PutAvailability = {
  readonly origin: Origin
  readonly tenant: Tenant
  readonly eventTypeId: string
  readonly input: PutAvailabilityInput
  readonly now: AskedMs
}

export const PUT_AVAILABILITY = defineCommand<PutAvailability, Outcome<AvailabilityRules>>('put_availability')
