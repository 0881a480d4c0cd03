import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { notFound, type Refused, refuse } from '../../../platform/http/errors.ts'
import { runChange } from '../../../platform/http/run-change.ts'
import { assertMayChange } from './assert-may-change.ts'
import { deleteUnusedAsRead, findScheduleAndUser, listUsers } from './queries.ts'

/** So many event types and resources that use it are named. */
const MOST_NAMED = 100

/** Only an unused schedule can be deleted. */
export function deleteSchedule(ctx: Context<TenantCaller>, id: string): Promise<void> {
  return runChange(ctx, async (db) => {
    const found = await findScheduleAndUser(db, ctx.caller, id)
    if (!found) throw notFound('schedule')
    const { schedule: read, userId } = found
    assertMayChange(ctx.caller, userId)
    if (read.isDefault && read.memberId !== null) throw inUse(true, { eventTypeIds: [], resourceIds: [] })
    const users = await listUsers(db, id, MOST_NAMED)
    if (users.eventTypeIds.length + users.resourceIds.length > 0) throw inUse(false, users)
    const statements = [
      ...deleteUnusedAsRead(db, read),
      recordActivity(db, ctx.caller, originOf(ctx), {
        action: 'schedule.deleted',
        resourceType: 'schedule',
        resourceId: id,
        changes: { name: read.name, member_id: read.memberId },
      }),
    ]
    return { body: undefined, statements }
  })
}

function inUse(
  isDefault: boolean,
  { eventTypeIds, resourceIds }: Awaited<ReturnType<typeof listUsers>>,
): Refused {
  return refuse(
    'schedule_in_use',
    { isDefault },
    { event_type_ids: eventTypeIds, ...(resourceIds.length > 0 && { resource_ids: resourceIds }) },
  )
}
