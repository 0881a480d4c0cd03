import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { mayChangeOf } from '../../../platform/auth/policy.ts'
import { refuse } from '../../../platform/http/errors.ts'

/** Members change their own hours; others', and the organization's, are for admins. */
export function assertMayChange(caller: TenantCaller, userId: string | null): void {
  if (mayChangeOf(caller, userId)) return
  throw refuse('hours_of_others')
}
