import { sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'

/** Refuses the batch if an added attendee has got a seat in the session in the meantime. What has expired is ended before. */
export function guardSeated(db: Db, after: BookingRow, read: BookingRow): Statement {
  const before = read.attendees.map(({ email }) => email.toLowerCase())
  const added = after.attendees.map(({ email }) => email.toLowerCase()).filter((one) => !before.includes(one))
  const isSeated = sql`EXISTS (SELECT 1 FROM bookings other, json_each(other.attendees) one
    WHERE other.session_id = ${after.sessionId} AND other.id <> ${after.id} AND other.status <> 'cancelled'
      AND (other.status NOT IN ('pending_approval', 'pending_payment')
        OR EXISTS (SELECT 1 FROM slot_holds WHERE booking_id = other.id AND status = 'held'))
      AND lower(one.value ->> 'email') IN (SELECT value FROM json_each(${JSON.stringify(added)})))`
  return refuseWhen(db, 'STALE', isSeated)
}
