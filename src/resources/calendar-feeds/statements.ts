import { eq } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { calendarFeeds } from '../../db/schema/calendars.ts'

/** In the batch that removes a member: nobody reads their bookings under that address any more. */
export function dropFeedsOf(db: Db, memberId: string): Statement {
  return db.delete(calendarFeeds).where(eq(calendarFeeds.memberId, memberId))
}
