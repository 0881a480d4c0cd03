import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { Visit } from '../visit.ts'

/** Administrators look after everybody's calendars; others see their own. */
export function isAdmin({ member }: Visit): boolean {
  return isRolePermitted(member.role, 'administer')
}

export function maySee(visit: Visit, memberId: string | null): boolean {
  return isAdmin(visit) || memberId === visit.member.memberId
}
