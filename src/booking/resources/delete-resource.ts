import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound, refuse } from '../../platform/http/errors.ts'
import { runChange } from '../../platform/http/run-change.ts'
import { deleteUnusedAsRead, findResourceInTenant, listRequiring } from './queries.ts'

/** Only what no event type requires can be deleted. Bookings keep its name. */
export function deleteResource(ctx: Context<TenantCaller>, id: string): Promise<void> {
  return runChange(ctx, async (db) => {
    const read = await findResourceInTenant(db, ctx.caller, id)
    if (!read) throw notFound('resource')
    const requiring = await listRequiring(db, id)
    if (requiring.length > 0) throw refuse('resource_in_use', { event_type_ids: requiring })
    const statements = [
      ...deleteUnusedAsRead(db, read),
      recordActivity(db, ctx.caller, originOf(ctx), {
        action: 'resource.deleted',
        resourceType: 'resource',
        resourceId: id,
        changes: { name: read.name },
      }),
    ]
    return { body: undefined, statements }
  })
}
