import { eq, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { slotHolds } from '../../../platform/db/schema/slot-holds.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'

/** The request was approved: its holds have no deadline any more. Refuses the batch if it has expired by then. */
export function approveRequest(db: Db, id: string, now: PresentMs): Statement[] {
  return [
    guardRequest(db, id),
    db.update(slotHolds).set({ status: 'confirmed', updatedAt: now }).where(eq(slotHolds.id, id)),
  ]
}

/** After a request was rescheduled: it expires no later than before, nor after its start. */
export function moveRequest(db: Db, row: BookingRow, now: PresentMs): Statement[] {
  return [
    guardRequest(db, row.id),
    db
      .update(slotHolds)
      .set({
        startTime: row.startTime,
        endTime: row.endTime,
        sessionId: row.sessionId,
        assignedHostId: row.assignedHostId,
        assignedHost: row.assignedHost,
        calendarConnectionId: row.calendarConnectionId,
        expiresAt: sql`min(${slotHolds.expiresAt}, ${row.startTime})`,
        updatedAt: now,
      })
      .where(eq(slotHolds.id, row.id)),
  ]
}

/** Refuses the batch if the request is no longer pending. */
function guardRequest(db: Db, id: string): Statement {
  return refuseWhen(
    db,
    'STALE',
    sql`NOT EXISTS (SELECT 1 FROM slot_holds WHERE id = ${id} AND status = 'held')`,
  )
}
