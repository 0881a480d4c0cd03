import { type TenantCaller, userIdOf } from '../../platform/auth/caller.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { Db } from '../../platform/db/client.ts'
import { refuse } from '../../platform/http/errors.ts'
import type { CreatedBy } from './schema.ts'
import { selectKeyMaker, selectMemberMaker } from './statements.ts'

/**
 * Records the creator of something that only admins can create. Refuses a member who stopped being an admin during the request.
 */
export async function makerOf(db: Db, caller: TenantCaller): Promise<CreatedBy> {
  const userId = userIdOf(caller)
  if (userId !== null) {
    const [member] = await selectMemberMaker(db, caller.organizationId, userId)
    if (!member || !isRolePermitted(member.role, 'administer')) throw refuse('not_allowed')
    return { type: 'member', id: member.id, name: member.name }
  }
  if (caller.kind === 'service') return { type: 'service', id: null, name: null }
  const [key] = await selectKeyMaker(db, caller.keyId)
  return { type: 'api_key', id: caller.keyId, name: key?.name ?? null }
}
