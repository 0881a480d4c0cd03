import type { TenantCaller } from '../../auth/caller.ts'
import type { Context } from '../../http/context.ts'
import { notFound } from '../../http/errors.ts'

/** A path that names another organization than the caller's names nothing. */
export function assertOwnOrganization(ctx: Context<TenantCaller>, organizationId: string): void {
  if (organizationId !== ctx.caller.organizationId) throw notFound('organization')
}
