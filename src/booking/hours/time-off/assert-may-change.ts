import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { mayChangeOf } from '../../../platform/auth/policy.ts'
import { Refused } from '../../../platform/http/errors.ts'

/** Members create time off for themselves; admins also for others and for everybody. */
export function assertMayChange(caller: TenantCaller, userIds: readonly (string | null)[]): void {
  if (userIds.every((userId) => mayChangeOf(caller, userId))) return
  throw new Refused({
    code: 'forbidden',
    message: 'Only owners and admins may do this; members may change time off of their own.',
  })
}
