import type { TenantCaller } from '../../platform/auth/caller.ts'
import type { Context } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'

/** A path with another organization than the caller's is not found. */
export function assertOwnOrganization(ctx: Context<TenantCaller>, organizationId: string): void {
  if (organizationId !== ctx.caller.organizationId) throw notFound('organization')
}
