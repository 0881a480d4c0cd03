import { type TenantCaller, userIdOf } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { assertMemberMay } from './assert-member-may.ts'
import { guardRole } from './queries.ts'

/**
 * Holds a batch to what the member on whose behalf the call is made may do: of two admins who remove each other at the same
 * moment one is too late.
 */
export async function guardCaller(db: Db, caller: TenantCaller): Promise<Statement[]> {
  const userId = userIdOf(caller)
  const member = await assertMemberMay(db, { userId }, caller.organizationId, 'administer')
  return member ? [guardRole(db, member)] : []
}
