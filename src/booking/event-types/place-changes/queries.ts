import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import type { EventTypeRow } from '../../../engine/schedule/schedule.ts'
import type { Db } from '../../../platform/db/client.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'

/** The active bookings of an event type that have not ended and whose invitees chose no place. */
export function selectWithoutPlace(
  db: Db,
  { id, organizationId, isTest }: Pick<EventTypeRow, 'id' | 'organizationId' | 'isTest'>,
  now: AskedMs,
) {
  // A sandbox may have a clock of its own.
  const present = isTest
    ? sql`(SELECT coalesce(sandbox_now, ${now}) FROM organizations WHERE id = ${organizationId})`
    : sql`${now}`
  const isExpired = sql`${bookings.status} IN ('pending_approval', 'pending_payment') AND NOT EXISTS (
    SELECT 1 FROM slot_holds WHERE booking_id = ${bookings.id} AND status = 'held' AND expires_at > ${present})`
  return db
    .select()
    .from(bookings)
    .where(
      and(
        eq(bookings.eventTypeId, id),
        gt(bookings.startTime, sql`${present} - ${MAX_HOLD_MS}`),
        gt(bookings.endTime, present),
        ne(bookings.status, 'cancelled'),
        isNull(bookings.place),
        sql`NOT (${isExpired})`,
      ),
    )
    .orderBy(bookings.startTime, bookings.id)
}
