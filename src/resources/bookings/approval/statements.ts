import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../db/client.ts'
import { insertOnce } from '../../../db/prepared.ts'
import { refuseWhen } from '../../../db/refusals.ts'
import type { BookingRow } from '../../../db/schema/bookings.ts'
import { slotHolds } from '../../../db/schema/slot-holds.ts'
import type { AskedMs, PresentMs } from '../../../limits/clock.ts'

/** After its booking and what that holds: a trigger gives these the deadline. */
export const insertRequest = insertOnce(slotHolds)

/** The request was approved: what it holds has no deadline from now on. Refuses the batch where it is over by then. */
export function approveRequest(db: Db, id: string, now: PresentMs): Statement[] {
  const isOver = sql`NOT EXISTS (SELECT 1 FROM slot_holds WHERE id = ${id} AND status = 'held')`
  return [
    refuseWhen(db, 'STALE', isOver),
    db.update(slotHolds).set({ status: 'confirmed', updatedAt: now }).where(eq(slotHolds.id, id)),
  ]
}

/** For the batch that cancels it. */
export function endRequest(db: Db, id: string, now: AskedMs): Statement {
  return db
    .update(slotHolds)
    .set({ status: 'released', updatedAt: now })
    .where(and(eq(slotHolds.id, id), inArray(slotHolds.status, ['held', 'expired'])))
}

/** After it took its new time: it waits no longer than before, nor beyond its start. */
export function moveRequest(db: Db, row: BookingRow, now: PresentMs): Statement {
  return db
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
    .where(and(eq(slotHolds.id, row.id), eq(slotHolds.status, 'held')))
}
