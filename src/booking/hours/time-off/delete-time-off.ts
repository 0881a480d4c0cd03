import { offerFreedOf } from '../../../engine/freed-times/offer-freed.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../../platform/db/client.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { retryWhenStale } from '../../../platform/http/retry-when-stale.ts'
import { assertMayChange } from './assert-may-change.ts'
import { presentTimeOff } from './present.ts'
import { deleteTimeOffAsRead, findTimeOffAndMember } from './queries.ts'

/** The member can be booked in it again, first by those who wait. */
export async function deleteTimeOff(ctx: Context<TenantCaller>, id: string): Promise<void> {
  const db = openDb(ctx.env, 'decide')
  await retryWhenStale(async () => {
    const found = await findTimeOffAndMember(db, ctx.caller, id, null)
    if (!found) throw notFound('time off')
    assertMayChange(ctx.caller, [found.userId])
    const { member_id, start, end } = presentTimeOff(found.row)
    await commitBatch(db, [
      ...deleteTimeOffAsRead(db, found.row),
      recordActivity(db, ctx.caller, originOf(ctx), {
        action: 'time_off.deleted',
        resourceType: 'time_off',
        resourceId: id,
        changes: { member_id, start, end },
      }),
    ])
  })
  await offerFreedOf(ctx.env, db, ctx.caller.organizationId)
}
