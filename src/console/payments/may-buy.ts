import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { MemberRequest } from '../request.ts'

/** Whether what the organization pays for can be changed by whoever looks, here and now. */
export function mayBuy({ page, member, isTest }: MemberRequest): boolean {
  return isRolePermitted(member.role, 'administer') && !isTest && Boolean(page.ctx.env.STRIPE_SECRET_KEY)
}
