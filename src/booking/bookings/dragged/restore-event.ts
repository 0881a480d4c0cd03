import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { Caller } from '../../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../../platform/db/client.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { wakeQueue } from '../../../platform/queue/messages.ts'
import { callForEvent } from '../follow-ups/statements.ts'
import type { Booking } from '../schema.ts'
import { showRestored } from '../statements.ts'

/** Has the calendar event of a booking or its session written to the booking's time again. */
export async function restoreEvent(ctx: Context<Caller>, booking: Booking): Promise<void> {
  const db = openDb(ctx.env, 'decide')
  const holderId = booking.session_id ?? booking.id
  const tenant = { organizationId: booking.organization_id, isTest: booking.is_test }
  await commitBatch(db, [
    callForEvent(db, holderId),
    showRestored(db, holderId),
    recordActivity(db, tenant, originOf(ctx), {
      action: 'booking.event_restored',
      resourceType: 'booking',
      resourceId: booking.id,
      changes: { out_of_sync: [booking.out_of_sync, null] },
    }),
  ])
  const connectionId = booking.calendar_connection_id
  if (connectionId !== null) await wakeQueue(ctx.env, { type: 'calendar-write', holderId, connectionId })
}
