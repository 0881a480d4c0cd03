import type { TenantCaller } from '../../auth/caller.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound } from '../../http/errors.ts'
import { organizationWide, recordActivity } from '../activity/statements.ts'
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
