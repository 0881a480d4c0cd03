import { and, eq, sql } from 'drizzle-orm'
import { HOLDER } from './held-bookings.ts'
import { MEETS_AT } from './meets-at.ts'
import { bookings } from './schema/bookings.ts'
import { calendarWrites } from './schema/calendars.ts'
import { meetings } from './schema/conferencing.ts'

/** What makes the link of a booking, or has made it: its meeting, or the calendar that it is written to. */
export const LINK_COLUMNS = {
  meetingStatus: sql<(typeof meetings.$inferSelect)['status'] | null>`${meetings.status}`.as(
    'meeting_status',
  ),
  joinUrl: sql<string | null>`${meetings.joinUrl}`.as('made_url'),
  connectionId: sql<string | null>`${calendarWrites.connectionId}`.as('write_connection'),
  writeStatus: sql<string | null>`${calendarWrites.status}`.as('write_status'),
  meetingUrl: sql<string | null>`${calendarWrites.meetingUrl}`.as('written_url'),
}

/** Joins both to the booking. */
export const IS_ITS_MEETING = and(eq(meetings.holderId, HOLDER), MEETS_AT.account)
export const IS_ITS_WRITE = and(
  eq(calendarWrites.holderId, HOLDER),
  eq(calendarWrites.connectionId, bookings.calendarConnectionId),
  sql`${calendarWrites.wantsMeeting}`,
  MEETS_AT.calendar,
)
