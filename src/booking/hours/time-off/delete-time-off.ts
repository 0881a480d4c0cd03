import { offerFreedOf } from '../../../engine/freed-times/offer-freed.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { runChange } from '../../../platform/http/run-change.ts'
import { assertMayChange } from './assert-may-change.ts'
import { presentTimeOff } from './present.ts'
import { deleteTimeOffAsRead, findTimeOffAndMember } from './queries.ts'

/** The member can be booked again, first by the waitlist. */
export async function deleteTimeOff(ctx: Context<TenantCaller>, id: string): Promise<void> {
  await runChange(ctx, async (db) => {
    const found = await findTimeOffAndMember(db, ctx.caller, id, null)
    if (!found) throw notFound('time off')
    assertMayChange(ctx.caller, [found.userId])
    const { member_id, resource_id, start, end } = presentTimeOff(found.row)
    const statements = [
      ...deleteTimeOffAsRead(db, found.row),
      recordActivity(db, ctx.caller, originOf(ctx), {
        action: 'time_off.deleted',
        resourceType: 'time_off',
        resourceId: id,
        changes: { member_id, ...(resource_id && { resource_id }), start, end },
      }),
    ]
    return { body: undefined, statements }
  })
  await offerFreedOf(ctx.env, openDb(ctx.env, 'decide'), ctx.caller.organizationId)
}
