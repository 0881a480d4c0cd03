import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { mayChangeOf } from '../../../platform/auth/policy.ts'
import { Refused } from '../../../platform/http/errors.ts'

/** Members change their own hours; others', and the organization's, are for admins. */
export function assertMayChange(caller: TenantCaller, userId: string | null): void {
  if (mayChangeOf(caller, userId)) return
  throw new Refused({
    code: 'forbidden',
    message: 'Only owners and admins may do this; members may change hours of their own.',
  })
}
