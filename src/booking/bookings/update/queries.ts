import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/client.ts'
import { IS_ITS_WRITE } from '../../../platform/db/meeting-links.ts'
import { named } from '../../../platform/db/prepared.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { calendarWrites } from '../../../platform/db/schema/calendars.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'

/** The addresses in its session besides its own, in lower case, each with its booking and whether that waits for a decision. */
const SEATED = sql`(SELECT json_group_array(json_array(other.id, lower(one.value ->> 'email'),
    other.status IN ('pending_approval', 'pending_payment'))) FROM bookings other, json_each(other.attendees) one
  WHERE other.session_id = bookings.session_id AND other.id <> bookings.id AND other.status <> 'cancelled')`

/** What holds seats of its session until a deadline. */
const HELD = sql`(SELECT json_group_array(json_object('seats', seats, 'expires_at', expires_at, 'booking_id', booking_id))
  FROM slot_holds WHERE session_id = bookings.session_id AND status = 'held')`

type Held = { readonly seats: number; readonly expires_at: number; readonly booking_id: string | null }

/** Until when it waits for a decision or a payment; null if it does not wait. */
const DEADLINE = sql<number | null>`CASE WHEN bookings.status IN ('pending_approval', 'pending_payment')
  THEN (SELECT max(expires_at) FROM slot_holds WHERE booking_id = bookings.id) END`

const IS_WAITED_FOR = sql`EXISTS (SELECT 1 FROM waitlist_entries
  WHERE event_type_id = bookings.event_type_id AND status = 'waiting')`

/** A booking with all that its change depends on. `asksSeats`: also who else has a seat in its session. */
export function selectBookingToUpdate(db: Db, id: string, asksSeats: boolean) {
  const seatsTaken = sql<number | null>`(SELECT seats_taken FROM sessions WHERE id = ${bookings.sessionId})`
  return db
    .select({
      booking: getTableColumns(bookings),
      calendarLink: calendarWrites.meetingUrl,
      sandboxNow: organizations.sandboxNow,
      terms: {
        questions: eventTypes.questions,
        maxGuests: eventTypes.maxGuests,
        maxAttendees: eventTypes.maxAttendees,
        inviteeLimit: eventTypes.inviteeLimit,
        conferencingProvider: eventTypes.conferencingProvider,
        customMeetingUrl: eventTypes.customMeetingUrl,
        places: eventTypes.places,
        organizationLocale: sql<string>`${organizations.locale}`.as('organization_locale'),
      },
      seatsTaken: seatsTaken.as('seats_taken'),
      seated: named(
        asksSeats ? SEATED : sql`'[]'`,
        (text: string) =>
          JSON.parse(text) as readonly (readonly [bookingId: string, email: string, waits: 0 | 1])[],
        'seated',
      ),
      held: named(
        asksSeats ? HELD : sql`'[]'`,
        (text: string) => JSON.parse(text) as readonly Held[],
        'held',
      ),
      deadline: DEADLINE.as('deadline'),
      isWaitedFor: named(IS_WAITED_FOR, Boolean, 'is_waited_for'),
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .leftJoin(calendarWrites, IS_ITS_WRITE)
    .where(eq(bookings.id, id))
}

export type BookingToUpdate = Awaited<ReturnType<typeof selectBookingToUpdate>>[number]
