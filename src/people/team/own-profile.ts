import { type TenantCaller, userIdOf } from '../../platform/auth/caller.ts'
import { isPermitted } from '../../platform/auth/policy.ts'
import { refuse } from '../../platform/http/errors.ts'
import type { MemberRow } from './queries.ts'

/** A profile is for the member themself and for admins to change. */
export function assertOwnProfile(caller: TenantCaller, { userId }: Pick<MemberRow, 'userId'>): void {
  if (!isPermitted(caller, 'administer') && userIdOf(caller) !== userId) throw refuse('profile_of_others')
}
