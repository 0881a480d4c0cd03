import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { isSuspended } from '../../platform/db/guard-unsuspended.ts'
import { insertOnce } from '../../platform/db/prepared.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { type SlotHoldRow, slotHolds } from '../../platform/db/schema/slot-holds.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'

export const insertSlotHold = insertOnce(slotHolds)

/** Refuses the batch if the hold has changed since it was read, or if its organization is suspended. */
export function guardHold(
  db: Db,
  { id, status, organizationId }: SlotHoldRow,
  { evenSuspended = false } = {},
): Statement {
  const isAsRead = sql`EXISTS (SELECT 1 FROM slot_holds WHERE id = ${id} AND status = ${status})`
  const orSuspended = evenSuspended ? sql`` : sql` OR ${isSuspended(organizationId)}`
  return refuseWhen(db, 'STALE', sql`NOT ${isAsRead}${orSuspended}`)
}

/** A hold becomes the time of a booking; triggers transfer it. */
export function becomeBooking(db: Db, id: string, bookingId: string, now: PresentMs): Statement {
  return db
    .update(slotHolds)
    .set({ status: 'confirmed', bookingId, updatedAt: now })
    .where(and(eq(slotHolds.id, id), inArray(slotHolds.status, ['held', 'expired', 'confirmed'])))
}

/** Releases a hold; triggers release its time. */
export function releaseSlotHold(db: Db, id: string, now: PresentMs): Statement {
  return db
    .update(slotHolds)
    .set({ status: 'released', updatedAt: now })
    .where(and(eq(slotHolds.id, id), eq(slotHolds.status, 'held')))
}
