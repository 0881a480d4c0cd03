import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { notFound, Refused } from '../../../platform/http/errors.ts'
import { runChange } from '../../../platform/http/run-change.ts'
import { assertMayChange } from './assert-may-change.ts'
import { deleteUnusedAsRead, findScheduleAndUser, listUsers } from './queries.ts'

/** Only an unused schedule can be deleted. */
export function deleteSchedule(ctx: Context<TenantCaller>, id: string): Promise<void> {
  return runChange(ctx, async (db) => {
    const found = await findScheduleAndUser(db, ctx.caller, id)
    if (!found) throw notFound('schedule')
    const { schedule: read, userId } = found
    assertMayChange(ctx.caller, userId)
    if (read.isDefault) throw inUse('It is the default of its member: make it no default first.', [])
    const users = await listUsers(db, id)
    if (users.length > 0) throw inUse('Event types or their hosts go by it: see event_type_ids.', users)
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

function inUse(message: string, eventTypeIds: readonly string[]): Refused {
  const details = { code: 'schedule_in_use', event_type_ids: eventTypeIds }
  return new Refused({ code: 'conflict', message: `This schedule is in use. ${message}`, details })
}
