import { defineCommand } from '../../engine/turn/command.ts'
import type { Outcome } from '../../engine/turn/outcome.ts'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import type { IdempotencyClaim } from '../../platform/http/idempotency-claim.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import type { AddHostInput, Host, UpdateHostInput } from './schema.ts'

type Command = {
  readonly origin: Origin
  readonly tenant: Tenant
  readonly eventTypeId: string
  readonly now: AskedMs
}

export type AddHost = Command & { readonly input: AddHostInput; readonly claim: IdempotencyClaim | null }
export type UpdateHost = Command & { readonly hostId: string; readonly input: UpdateHostInput }
export type RemoveHost = Command & { readonly hostId: string }

export const ADD_HOST = defineCommand<AddHost, Outcome<Host>>('add_host')
export const UPDATE_HOST = defineCommand<UpdateHost, Outcome<Host>>('update_host')
export const REMOVE_HOST = defineCommand<RemoveHost, Outcome<null>>('remove_host')
