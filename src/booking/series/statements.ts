import { sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { insertOnce, preparedStatement } from '../../platform/db/prepared.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { series } from '../../platform/db/schema/series.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'

export const insertSeries = insertOnce(series)

const confirmOnce = preparedStatement<readonly [rows: string, now: number]>(
  `UPDATE bookings SET status = 'confirmed', reminder_minutes = one.value ->> 1, next_reminder_at = one.value ->> 2,
     tell_reminders_again_at = NULL, acts = one.value ->> 3, follow_up_minutes = one.value ->> 4, updated_at = ?2, revision = revision + 1
   FROM json_each(?1) one WHERE bookings.id = one.value ->> 0`,
)

/** Confirms requests that were read, each with its own reminders. */
export function confirmBookings(
  db: Db,
  after: readonly Pick<
    BookingRow,
    'id' | 'reminderMinutes' | 'nextReminderAt' | 'followUpMinutes' | 'acts'
  >[],
  now: PresentMs,
): Statement {
  const rows = after.map(({ id, reminderMinutes, nextReminderAt, followUpMinutes, acts }) => [
    id,
    reminderMinutes && JSON.stringify(reminderMinutes),
    nextReminderAt,
    JSON.stringify(acts),
    followUpMinutes,
  ])
  return confirmOnce(db, JSON.stringify(rows), now)
}

const approveOnce = preparedStatement<readonly [ids: string, now: number]>(
  "UPDATE slot_holds SET status = 'confirmed', updated_at = ?2 WHERE id IN (SELECT value FROM json_each(?1))",
)

/** The requests were approved: their holds have no deadline any more. Refuses the batch if one of them has expired by then. */
export function approveRequests(db: Db, ids: readonly string[], now: PresentMs): Statement[] {
  const list = JSON.stringify(ids)
  const isGone = sql`EXISTS (SELECT 1 FROM json_each(${list}) one
    WHERE NOT EXISTS (SELECT 1 FROM slot_holds WHERE slot_holds.id = one.value AND status = 'held'))`
  return [refuseWhen(db, 'STALE', isGone), approveOnce(db, list, now)]
}
