import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { MemberRequest } from '../request.ts'

/** Administrators look after everybody's calendars; others see their own. */
export function isAdmin({ member }: MemberRequest): boolean {
  return isRolePermitted(member.role, 'administer')
}

export function maySee(request: MemberRequest, memberId: string | null): boolean {
  return isAdmin(request) || memberId === request.member.memberId
}
