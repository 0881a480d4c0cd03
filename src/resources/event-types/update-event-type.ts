import type { TenantCaller } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import { type Context, originOf } from '../../http/context.ts'
import { notFound, Refused } from '../../http/errors.ts'
import { commit } from '../../http/idempotency.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { countBookings } from './count-bookings.ts'
import { presentEventType } from './present.ts'
import type { EventType, UpdateEventTypeInput } from './schema.ts'
import { findEventTypeInTenant, updateEventTypeRow } from './store.ts'
import { assertCoherent, SLUG_TAKEN, toColumns, withCapPeriod } from './to-columns.ts'

export async function updateEventType(
  ctx: Context<TenantCaller>,
  id: string,
  input: UpdateEventTypeInput,
): Promise<EventType> {
  const db = openDb(ctx.env, 'decide')
  const before = await findEventTypeInTenant(db, ctx.caller, id)
  if (!before) throw notFound('event type')
  const columns = toColumns(input)
  const after = withCapPeriod({ ...before, ...columns, updatedAt: ctx.now })
  assertCoherent(after)

  const bookingCapPeriod = after.bookingCapPeriod
  const counts = await countBookings(db, [after], ctx.now)
  const eventType = presentEventType(after, counts.get(id) ?? 0)
  const statements = [
    updateEventTypeRow(db, id, { ...columns, bookingCapPeriod, updatedAt: ctx.now }),
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
    if (fenceOf(error) !== 'SLUG_TAKEN') throw error
    throw new Refused(SLUG_TAKEN)
  }
  return eventType
}
