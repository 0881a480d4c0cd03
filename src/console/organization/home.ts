import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { MemberRequest } from '../request.ts'

/** Whoever still has everything before them begins at the start; everybody else with what is booked. */
export async function goHome({ page, member }: MemberRequest): Promise<Response> {
  const isNew = member.onboardingCompletedAt === null && isRolePermitted(member.role, 'administer')
  return seeOther(page, isNew ? '/console/start' : '/console/bookings')
}
