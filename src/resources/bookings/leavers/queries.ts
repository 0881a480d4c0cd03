import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { AssignedHost } from '../../../db/schema/bookings.ts'

/** The members whose time is held under `holderId`: those of its hosts who are still in the organization. */
function selectStaying(db: Db, holderId: SQL) {
  // The sandbox holds another time of theirs, whose name begins with the same id.
  const rows = sql`(SELECT m.id, m.user_id, m.user_email FROM holds held JOIN members m ON m.id = substr(held.resource_id, 1, 36)
    WHERE held.holder_id = ${holderId} AND held.kept_by = '')`
  const host = sql`json_object('member_id', id, 'user_id', user_id, 'email', user_email)`
  return db
    .select({ host: host.mapWith((text: string) => JSON.parse(text) as AssignedHost).as('staying') })
    .from(rows)
}

export function selectStayingOfBooking(db: Db, bookingId: string) {
  return selectStaying(db, sql`(SELECT coalesce(session_id, id) FROM bookings WHERE id = ${bookingId})`)
}

export function selectStayingOfHold(db: Db, holdId: string) {
  return selectStaying(db, sql`(SELECT coalesce(session_id, id) FROM slot_holds WHERE id = ${holdId})`)
}
