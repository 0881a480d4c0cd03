import { eq, sql } from 'drizzle-orm'
import type { Interval } from '../../../core/interval.ts'
import type { Db } from '../../../platform/db/client.ts'
import { IS_ITS_WRITE } from '../../../platform/db/meeting-links.ts'
import { named } from '../../../platform/db/prepared.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { calendarWrites } from '../../../platform/db/schema/calendars.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'

/** A booking with what a cancellation or a move depends on, if it waits for nothing. */
export function selectBookingAsRead(db: Db, id: string) {
  const { cancelNoticeMinutes, inviteeLimit } = eventTypes
  const hold = sql`(SELECT json_object('start', starts_at, 'end', ends_at) FROM holds
    WHERE holder_id = coalesce(${bookings.sessionId}, ${bookings.id}) LIMIT 1)`
  return db
    .select({
      booking: bookings,
      sandboxNow: organizations.sandboxNow,
      terms: { cancelNoticeMinutes, inviteeLimit },
      hold: named(
        hold,
        (text: string | null) => (text === null ? null : (JSON.parse(text) as Interval)),
        'hold',
      ),
      calendarLink: calendarWrites.meetingUrl,
    })
    .from(bookings)
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .leftJoin(calendarWrites, IS_ITS_WRITE)
    .where(eq(bookings.id, id))
}
export type BookingAsRead = Awaited<ReturnType<typeof selectBookingAsRead>>[number]
