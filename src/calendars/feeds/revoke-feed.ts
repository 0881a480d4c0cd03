import { organizationWide, recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { notFound } from '../../platform/http/errors.ts'
import { deleteFeed, selectFeedInOrg } from './queries.ts'

/** Its address answers nobody any more. */
export async function revokeFeed(ctx: Context<TenantCaller>, id: string): Promise<void> {
  const db = openDb(ctx.env, 'decide')
  const [feed] = await selectFeedInOrg(db, ctx.caller.organizationId, id)
  if (!feed) throw notFound('calendar feed')
  await commitBatch(db, [
    deleteFeed(db, id),
    recordActivity(db, organizationWide(ctx.caller), originOf(ctx), {
      action: 'calendar_feed.revoked',
      resourceType: 'calendar_feed',
      resourceId: id,
      changes: { member_id: feed.memberId },
    }),
  ])
}
