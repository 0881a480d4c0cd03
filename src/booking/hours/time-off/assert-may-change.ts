import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { mayChangeOf } from '../../../platform/auth/policy.ts'
import { refuse } from '../../../platform/http/errors.ts'

/** Members create time off for themselves; admins also for others and for everybody. */
export function assertMayChange(caller: TenantCaller, userIds: readonly (string | null)[]): void {
  if (userIds.every((userId) => mayChangeOf(caller, userId))) return
  throw refuse('time_off_of_others')
}
