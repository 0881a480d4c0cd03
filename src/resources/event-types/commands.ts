import type { Origin, Tenant } from '../../auth/caller.ts'
import type { UpdateEventTypeInput } from './schema.ts'

export type UpdateEventType = {
  readonly origin: Origin
  readonly tenant: Tenant
  readonly id: string
  readonly input: UpdateEventTypeInput
  readonly now: number
}
