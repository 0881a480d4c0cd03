import { and, asc, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { named } from '../../platform/db/prepared.ts'
import { bookings, holds, sessions } from '../../platform/db/schema/bookings.ts'
import { calendarWrites } from '../../platform/db/schema/calendars.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { slotHolds } from '../../platform/db/schema/slot-holds.ts'
import { waitlistEntries } from '../../platform/db/schema/waitlist.ts'

/** The event type of a session of the tenant, and its clock; also of one that ended, if it had bookings. */
export async function findSessionInTenant(db: Db, { organizationId, isTest }: Tenant, id: string) {
  const [row] = await db
    .select({ eventTypeId: eventTypes.id, sandboxNow: organizations.sandboxNow })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(
      and(
        sql`${eventTypes.id} = coalesce((SELECT event_type_id FROM sessions WHERE id = ${id}),
          (SELECT event_type_id FROM bookings WHERE session_id = ${id} LIMIT 1))`,
        eq(eventTypes.organizationId, organizationId),
        eq(eventTypes.isTest, isTest),
      ),
    )
  return row ?? null
}

export function selectSession(db: Db, id: string) {
  return db.select().from(sessions).where(eq(sessions.id, id))
}

/** The active bookings of a session, oldest first; of one that ended, those that were cancelled last, or will be. */
export function selectBookingsOf(db: Db, sessionId: string) {
  const isThere = sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId})`
  const last = sql`(SELECT max(cancelled_at) FROM bookings WHERE session_id = ${sessionId})`
  return db
    .select()
    .from(bookings)
    .where(
      and(
        eq(bookings.sessionId, sessionId),
        sql`CASE WHEN ${isThere} THEN ${bookings.status} <> 'cancelled' ELSE ${bookings.cancelledAt} IS ${last} END`,
      ),
    )
    .orderBy(asc(bookings.id))
}

/** What is held of a session, and what its bookings wait for, until a deadline. */
export function selectHeldOf(db: Db, sessionId: string) {
  const { id, purpose, status, seats, bookingId, expiresAt } = slotHolds
  return db
    .select({ id, purpose, status, seats, bookingId, expiresAt })
    .from(slotHolds)
    .where(and(eq(slotHolds.sessionId, sessionId), sql`${status} = 'held'`))
}

/** The bookings of a session whose wait expired, and that nobody cancelled yet: their seats are released. */
export function selectOverdueIn(db: Db, sessionId: string) {
  return db
    .select({ bookingId: slotHolds.bookingId })
    .from(slotHolds)
    .where(
      and(
        sql`${slotHolds.bookingId} IN (SELECT id FROM bookings WHERE session_id = ${sessionId} AND status <> 'cancelled')`,
        ne(slotHolds.purpose, 'hold'),
        eq(slotHolds.status, 'expired'),
      ),
    )
}

/** The time that a session holds. */
export function selectTimeOf(db: Db, sessionId: string) {
  return db
    .select({ start: holds.startsAt, end: holds.endsAt })
    .from(holds)
    .where(eq(holds.holderId, sessionId))
    .limit(1)
}

/** The waiting entries for the start of a session. */
export function selectWaitingForSession(db: Db, sessionId: string) {
  const of = (column: 'event_type_id' | 'start_time') =>
    sql`(SELECT ${sql.raw(column)} FROM sessions WHERE id = ${sessionId})`
  return db
    .select()
    .from(waitlistEntries)
    .where(
      and(
        eq(waitlistEntries.eventTypeId, of('event_type_id')),
        eq(waitlistEntries.startTime, of('start_time')),
        sql`${waitlistEntries.status} = 'waiting'`,
      ),
    )
    .orderBy(asc(waitlistEntries.place))
}

/** The link that the calendar of a session made with its event. */
export function selectCalendarLink(db: Db, sessionId: string) {
  return db
    .select({ link: calendarWrites.meetingUrl })
    .from(calendarWrites)
    .where(
      and(
        eq(calendarWrites.holderId, sessionId),
        sql`${calendarWrites.connectionId} = (SELECT calendar_connection_id FROM sessions WHERE id = ${sessionId})`,
        sql`${calendarWrites.wantsMeeting}`,
      ),
    )
}

/** What listing sessions needs to know about their event type; null if the tenant has no such event type. */
export async function findGroup(db: Db, { organizationId, isTest }: Tenant, id: string) {
  const { timezone, maxAttendees } = eventTypes
  const [row] = await db
    .select({ timezone, maxAttendees, sandboxNow: organizations.sandboxNow })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(
      and(
        eq(eventTypes.id, id),
        eq(eventTypes.organizationId, organizationId),
        eq(eventTypes.isTest, isTest),
        isNull(eventTypes.deletedAt),
      ),
    )
  return row ?? null
}

export function selectInviteeLimit(db: Db, eventTypeId: string) {
  return db
    .select({ inviteeLimit: eventTypes.inviteeLimit })
    .from(eventTypes)
    .where(eq(eventTypes.id, eventTypeId))
}

/** The sessions of an event type that overlap a range, earliest first. Expired holds and waits take no seats. */
export function selectSessionsIn(db: Db, eventTypeId: string, from: number, to: number, now: number) {
  const expired = sql`(SELECT coalesce(sum(seats), 0) FROM slot_holds
    WHERE session_id = sessions.id AND status = 'held' AND expires_at <= ${now})`
  const bookingIds = sql`(SELECT json_group_array(id) FROM (SELECT id FROM bookings
    WHERE session_id = sessions.id AND status <> 'cancelled' ORDER BY id))`
  const waiting = sql<number>`(SELECT count(*) FROM waitlist_entries
    WHERE event_type_id = sessions.event_type_id AND start_time = sessions.start_time AND status = 'waiting')`
  const { id, startTime, endTime, assignedHost, coHosts, seatsTaken } = sessions
  return db
    .select({
      id,
      startTime,
      endTime,
      assignedHost,
      coHosts,
      taken: sql<number>`${seatsTaken} - ${expired}`.as('taken'),
      waiting: waiting.as('waiting'),
      bookingIds: named(bookingIds, (text: string) => JSON.parse(text) as string[], 'booking_ids'),
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.eventTypeId, eventTypeId),
        gt(startTime, from - MAX_HOLD_MS),
        lt(startTime, to),
        gt(endTime, from),
      ),
    )
    .orderBy(asc(startTime))
}
