import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { memberRoutes } from '../../people/team/member-routes.ts'
import type { Member } from '../../people/team/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'

export async function loadMembers(visit: MemberRequest): Promise<readonly Member[]> {
  const params = { orgId: visit.organizationId }
  return (await need<{ data: Member[] }>(visit, memberRoutes, 'listMembers', { params })).data
}

/** What a member is called: by name, else by address. */
export function nameOf({ name, user_email, user_id }: Member): string {
  return name ?? (user_email || user_id)
}

export function isAdmin({ member }: MemberRequest): boolean {
  return isRolePermitted(member.role, 'administer')
}

/** Members write what is their own, administrators everything. */
export function mayWriteOf(
  visit: MemberRequest,
  { member_id: memberId }: Pick<Schedule, 'member_id'>,
): boolean {
  return isAdmin(visit) || (isRolePermitted(visit.member.role, 'book') && memberId === visit.member.memberId)
}

/** Whose hours somebody may write: the member's own, or all and the organization's. */
export function peopleFor(visit: MemberRequest, members: readonly Member[]): readonly Member[] {
  return members.filter(({ id }) => mayWriteOf(visit, { member_id: id }))
}
