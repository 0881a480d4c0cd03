import type { Origin, Tenant } from '../../auth/caller.ts'
import type { PutAvailabilityInput } from './schema.ts'

export type PutAvailability = {
  readonly origin: Origin
  readonly tenant: Tenant
  readonly eventTypeId: string
  readonly input: PutAvailabilityInput
  readonly now: number
}
