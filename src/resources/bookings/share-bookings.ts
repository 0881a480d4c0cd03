import type { Db, Statement } from '../../db/client.ts'
import { openSessionsForBookings } from './queries.ts'

/**
 * For the batch that gives an event type its second seat: what is booked becomes a session that others can
 * join. Of several bookings of one start, with a host each, the first does; the others stay meetings of their own.
 */
export function shareBookings(db: Db, eventTypeId: string, now: number): Statement[] {
  return openSessionsForBookings(db, eventTypeId, now)
}
