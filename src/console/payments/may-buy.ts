import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { MemberRequest } from '../request.ts'

/** Whether the member can change the organization's plan, here and now. */
export function mayBuy({ page, member, isTest }: MemberRequest): boolean {
  return isRolePermitted(member.role, 'administer') && !isTest && Boolean(page.ctx.env.STRIPE_SECRET_KEY)
}
