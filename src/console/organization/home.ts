import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { MemberRequest } from '../request.ts'

/** New owners begin at the start screen, everybody else with the overview. */
export async function goHome({ page, member }: MemberRequest): Promise<Response> {
  const isNew = member.onboardingCompletedAt === null && isRolePermitted(member.role, 'administer')
  return seeOther(page, isNew ? '/console/start' : '/console/overview')
}
