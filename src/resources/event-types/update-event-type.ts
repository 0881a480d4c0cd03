import type { TenantCaller } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import { fenceOf, laterThan } from '../../db/refusals.ts'
import { type Context, originOf } from '../../http/context.ts'
import { Refused } from '../../http/errors.ts'
import { commit } from '../../http/idempotency.ts'
import { retryWhenStale } from '../../http/retry-when-stale.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { countBookings } from './count-bookings.ts'
import { getEventTypeInTenant } from './get-event-type.ts'
import { presentEventType } from './present.ts'
import type { EventType, UpdateEventTypeInput } from './schema.ts'
import { updateEventTypeAsRead } from './store.ts'
import { assertCoherent, SLUG_TAKEN, toColumns, withCapPeriod } from './to-columns.ts'

export async function updateEventType(
  ctx: Context<TenantCaller>,
  id: string,
  input: UpdateEventTypeInput,
): Promise<EventType> {
  const db = openDb(ctx.env, 'decide')
  return retryWhenStale(async () => {
    const before = await getEventTypeInTenant(db, ctx.caller, id)
    const columns = toColumns(input)
    if (Object.keys(columns).length === 0) {
      const unchanged = await countBookings(db, [before], ctx.now)
      return presentEventType(before, unchanged.get(id) ?? 0)
    }
    const after = withCapPeriod({ ...before, ...columns, updatedAt: laterThan(before.updatedAt, ctx.now) })
    assertCoherent(after)

    const counts = await countBookings(db, [after], ctx.now)
    const eventType = presentEventType(after, counts.get(id) ?? 0)
    const changes = { ...columns, bookingCapPeriod: after.bookingCapPeriod }
    const statements = [
      ...updateEventTypeAsRead(db, before, changes, ctx.now),
      recordActivity(db, ctx.caller, originOf(ctx), {
        action: 'event_type.updated',
        resourceType: 'event_type',
        resourceId: id,
        changes: { ...input },
      }),
    ]
    try {
      await commit(ctx, db, statements, { status: 200, body: eventType })
    } catch (error) {
      if (fenceOf(error) === 'SLUG_TAKEN') throw new Refused(SLUG_TAKEN)
      throw error
    }
    return eventType
  })
}
