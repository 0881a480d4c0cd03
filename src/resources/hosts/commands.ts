import type { Origin, Tenant } from '../../auth/caller.ts'
import type { IdempotencyClaim } from '../../http/idempotency.ts'
import type { AddHostInput } from './schema.ts'

type Command = {
  readonly origin: Origin
  readonly tenant: Tenant
  readonly eventTypeId: string
  readonly now: number
}

export type AddHost = Command & { readonly input: AddHostInput; readonly claim: IdempotencyClaim | null }
export type RemoveHost = Command & { readonly hostId: string }
