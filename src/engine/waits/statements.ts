import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { insertEach } from '../../platform/db/insert-each.ts'
import { insertOnce } from '../../platform/db/prepared.ts'
import { slotHolds } from '../../platform/db/schema/slot-holds.ts'

/** After its booking and its holds: triggers give these the deadline, and end them with the wait. */
export const insertWait = insertOnce(slotHolds)
export const insertWaits = insertEach(slotHolds)

/** What a booking waits for, even if that has expired; nothing if it does not wait any more. */
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
