import { and, asc, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/client.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'

/** The active bookings of a booking's session, itself included; none if it has its time alone. */
export function selectSessionOf(db: Db, bookingId: string) {
  const session = sql`(SELECT session_id FROM bookings WHERE id = ${bookingId})`
  return db
    .select()
    .from(bookings)
    .where(and(sql`${bookings.sessionId} = ${session}`, ne(bookings.status, 'cancelled')))
    .orderBy(asc(bookings.id))
}
