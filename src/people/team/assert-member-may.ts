import type { OperatorCaller } from '../../platform/auth/caller.ts'
import { isRolePermitted, type Permission } from '../../platform/auth/policy.ts'
import { selectMember } from '../../platform/auth/select-member.ts'
import type { Db } from '../../platform/db/client.ts'
import { refuse } from '../../platform/http/errors.ts'

/** When the service key acts on behalf of a member, the member's role counts. Returns that member. */
export async function assertMemberMay(
  db: Db,
  { userId }: Pick<OperatorCaller, 'userId'>,
  organizationId: string,
  permission: Exclude<Permission, 'anyone'>,
) {
  if (userId === null) return null
  const [member] = await selectMember(db, organizationId, userId)
  if (!member || !isRolePermitted(member.role, permission)) throw refuse('not_allowed')
  return member
}
