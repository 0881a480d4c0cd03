import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { MEETS_AT } from './meets-at.ts'
import { bookings } from './schema/bookings.ts'
import { eventTypes } from './schema/event-types.ts'
import { organizations } from './schema/organizations.ts'

/** Whom a booking takes place under: the session that it sits in, else itself. */
export const HOLDER = sql<string>`coalesce(${bookings.sessionId}, ${bookings.id})`

/** Whether a booking takes place under this holder. */
export function takesPlaceUnder(holderId: string): SQL | undefined {
  return and(
    // What the indexes find; the next line leaves out the first booking of a session that it has left.
    or(eq(bookings.id, holderId), eq(bookings.sessionId, holderId)),
    eq(HOLDER, holderId),
    inArray(bookings.status, ['confirmed', 'rescheduled']),
  )
}

/** The bookings of a holder, oldest first, with what emails and events say of them. */
export function selectHeldBookings(db: Db, holderId: string, also?: SQL) {
  return db
    .select({ booking: bookings, title: eventTypes.title, organizationName: organizations.name })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(and(takesPlaceUnder(holderId), also))
    .orderBy(asc(bookings.id))
}

/** The same without those that have a link of their own or meet elsewhere, and need no meeting of an account. */
export function selectBookingsToMeet(db: Db, holderId: string) {
  return selectHeldBookings(db, holderId, and(isNull(bookings.ownMeetingUrl), MEETS_AT.account))
}
