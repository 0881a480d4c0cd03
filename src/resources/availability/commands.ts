import type { Origin, Tenant } from '../../auth/caller.ts'
import type { AskedMs } from '../../limits/clock.ts'
import { defineCommand } from '../../turn/command.ts'
import type { Outcome } from '../../turn/outcome.ts'
import type { AvailabilityRules, PutAvailabilityInput } from './schema.ts'

export type PutAvailability = {
  readonly origin: Origin
  readonly tenant: Tenant
  readonly eventTypeId: string
  readonly input: PutAvailabilityInput
  readonly now: AskedMs
}

export const PUT_AVAILABILITY = defineCommand<PutAvailability, Outcome<AvailabilityRules>>('put_availability')
