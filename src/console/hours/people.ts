import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { memberRoutes } from '../../people/team/member-routes.ts'
import type { Member } from '../../people/team/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { need } from '../ask.ts'
import type { MemberRequest } from '../request.ts'

export async function loadMembers(request: MemberRequest): Promise<readonly Member[]> {
  const params = { orgId: request.organizationId }
  return (await need(request, memberRoutes.listMembers, { params })).data
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
  request: MemberRequest,
  { member_id: memberId }: Pick<Schedule, 'member_id'>,
): boolean {
  return (
    isAdmin(request) || (isRolePermitted(request.member.role, 'book') && memberId === request.member.memberId)
  )
}

/** The schedules that a member may edit: their own, or all and the organization's. */
export function peopleFor(request: MemberRequest, members: readonly Member[]): readonly Member[] {
  return members.filter(({ id }) => mayWriteOf(request, { member_id: id }))
}
