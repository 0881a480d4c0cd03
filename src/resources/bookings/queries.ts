import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { takesPlaceUnder } from '../../db/held-bookings.ts'
import { type At, builtOnce } from '../../db/prepared.ts'
import { bookings, holds } from '../../db/schema/bookings.ts'
import { eventTypes } from '../../db/schema/event-types.ts'
import { organizations } from '../../db/schema/organizations.ts'
import { events } from '../../db/schema/records.ts'

const bookingById = builtOnce((db, at: At<{ id: string }>) =>
  db.select().from(bookings).where(eq(bookings.id, at.id)),
)

export function selectBooking(db: Db, id: string) {
  return bookingById(db, { id })
}

export function selectBookingAndClock(db: Db, id: string) {
  return db
    .select({ booking: bookings, sandboxNow: organizations.sandboxNow })
    .from(bookings)
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(eq(bookings.id, id))
}

/** All that its invitee sees, in one round trip. No two columns have the same name: in a batch they would become one. */
export function selectBookingWithOwner(db: Db, id: string) {
  const { title, slug, color, active, deletedAt, bookingPageEnabled, maxAttendees, timezone } = eventTypes
  const { name, sandboxNow, tier, logoUrl, logoAltText, removeBranding, listingPageEnabled } = organizations
  return db
    .select({
      booking: bookings,
      eventType: { title, slug, color, active, deletedAt, bookingPageEnabled, maxAttendees, timezone },
      organization: {
        name,
        slug: sql<string>`${organizations.slug}`.as('organization_slug'),
        sandboxNow,
        tier,
        logoUrl,
        logoAltText,
        removeBranding,
        listingPageEnabled,
      },
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(eq(bookings.id, id))
}

export function selectBookingDetail(db: Db, id: string) {
  const { title, durationMinutes, active, deletedAt } = eventTypes
  return db
    .select({ booking: bookings, eventType: { title, durationMinutes, active, deletedAt } })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .where(eq(bookings.id, id))
}

export function selectReminderIntervals(db: Db, eventTypeId: string) {
  return db
    .select({ reminderIntervals: eventTypes.reminderIntervals })
    .from(eventTypes)
    .where(eq(eventTypes.id, eventTypeId))
}

/** The time that a booking holds, alone or with its session. */
export function selectHold(db: Db, bookingId: string) {
  return holdOfBooking(db, { bookingId })
}

const holdOfBooking = builtOnce((db, at: At<{ bookingId: string }>) => {
  const holder = sql`(SELECT coalesce(session_id, id) FROM bookings WHERE id = ${at.bookingId})`
  return db
    .select({ start: holds.startsAt, end: holds.endsAt })
    .from(holds)
    .where(eq(holds.holderId, holder))
    .limit(1)
})

/**
 * The bookings of one holder that have another link than this, or none, and whether the letters about them are on
 * their way already.
 */
export function selectUnlinked(db: Db, holderId: string, url: string) {
  const isTold = sql<boolean>`NOT EXISTS (SELECT 1 FROM ${events}
    WHERE ${events.handledAt} IS NULL AND ${events.claimedUntil} IS NULL AND json_extract(${events.data}, '$.id') = ${bookings.id})`
  return db
    .select({
      booking: bookings,
      title: eventTypes.title,
      organizationName: organizations.name,
      isTold: isTold.mapWith(Boolean).as('is_told'),
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(and(takesPlaceUnder(holderId), sql`${bookings.conferencingUrl} IS NOT ${url}`))
}
