import type { CalendarConnection } from '../../calendars/schema.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { MemberRequest } from '../request.ts'

/** Administrators look after everybody's calendars; others see their own. */
export function isAdmin({ member }: MemberRequest): boolean {
  return isRolePermitted(member.role, 'administer')
}

export function maySee(request: MemberRequest, memberId: string | null): boolean {
  return isAdmin(request) || memberId === request.member.memberId
}

/** Members connect calendars of their own; viewers host nothing. */
export function mayConnect({ member }: MemberRequest): boolean {
  return isRolePermitted(member.role, 'book')
}

/** Members change what is their own. */
export function mayChange(request: MemberRequest, memberId: string | null): boolean {
  return isAdmin(request) || (mayConnect(request) && memberId === request.member.memberId)
}

/** The same of a calendar: one that closes everybody's times is for administrators, also where it is somebody's own. */
export function mayChangeCalendar(
  request: MemberRequest,
  { member_id: memberId, everybody }: Pick<CalendarConnection, 'member_id' | 'everybody'>,
): boolean {
  return mayChange(request, memberId) && (isAdmin(request) || !everybody)
}
