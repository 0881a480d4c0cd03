import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { insertOnce } from '../../platform/db/prepared.ts'
import { slotHolds } from '../../platform/db/schema/slot-holds.ts'

/** After its booking and what that holds: triggers give these the deadline, and end it with the booking's waiting. */
export const insertWait = insertOnce(slotHolds)

/** What a booking waits for, also when that is over; nothing for one that waits no longer. */
export function selectWait(db: Db, bookingId: string) {
  return db
    .select()
    .from(slotHolds)
    .where(
      and(
        eq(slotHolds.bookingId, bookingId),
        ne(slotHolds.purpose, 'hold'),
        sql`${slotHolds.status} IN ('held', 'expired')`,
      ),
    )
}
