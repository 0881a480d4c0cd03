import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { takesPlaceUnder } from '../../db/held-bookings.ts'
import { type At, builtOnce, insertOnce } from '../../db/prepared.ts'
import { refuseWhen } from '../../db/refusals.ts'
import type { BookingRow } from '../../db/schema/bookings.ts'
import { bookings, holds, sessions } from '../../db/schema/bookings.ts'
import { eventTypes } from '../../db/schema/event-types.ts'
import { eventTypeHosts } from '../../db/schema/hosts.ts'
import { organizations } from '../../db/schema/organizations.ts'
import { events } from '../../db/schema/records.ts'
import type { Interval } from '../../scheduling/interval.ts'
import { callForChanged, callForLinked, forgetTestCalls } from './follow-ups/statements.ts'

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

/** All that its invitee sees, in one round trip. */
/** No two columns have the same name: in a batch they would become one. */
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

export const insertBooking = insertOnce(bookings)

const guardRevision = builtOnce((db, at: At<Pick<BookingRow, 'id' | 'revision'>>) =>
  refuseWhen(
    db,
    'STALE',
    sql`NOT EXISTS (SELECT 1 FROM bookings WHERE id = ${at.id} AND revision = ${at.revision})`,
  ),
)

/**
 * Changes a booking that is still as it was read, and calls for what follows outside: a batch that decided on an older
 * state is refused.
 */
export function updateBookingAsRead(db: Db, read: BookingRow, changes: Partial<BookingRow>): Statement[] {
  const { id, revision } = read
  return [
    guardRevision(db, { id, revision }),
    db
      .update(bookings)
      .set({ ...changes, revision: revision + 1 })
      .where(eq(bookings.id, id)),
    ...callForChanged(db, read, changes),
  ]
}

type Held = {
  readonly holderId: string
  readonly resourceIds: string
  readonly start: number
  readonly end: number
}

const insertHolds = builtOnce((db, at: At<Held>) =>
  db
    .insert(holds)
    .select(sql`SELECT value, ${at.start}, ${at.end}, ${at.holderId}, '' FROM json_each(${at.resourceIds})`),
)

/** Takes `hold` of every resource; the trigger on holds refuses the batch when one of them is taken. */
export function takeHold(
  db: Db,
  holderId: string,
  resourceIds: readonly string[],
  { start, end }: Interval,
): Statement[] {
  if (resourceIds.length === 0) return []
  return [insertHolds(db, { holderId, resourceIds: JSON.stringify(resourceIds), start, end })]
}

export const insertSession = insertOnce(sessions)

/** A session that others still share may be named after the booking that has left it, and then its hold is, too. */
export function guardOwnName(db: Db, bookingId: string): Statement {
  return refuseWhen(db, 'STALE', sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${bookingId})`)
}

type Credited = {
  readonly eventTypeId: string
  readonly memberIds: string
  readonly step: number
  readonly now: number
}

/** The order of assignments moves on by a `step` of 1, and not by one of 0. */
const creditOnce = builtOnce((db, at: At<Credited>) => {
  const { eventTypeId, memberId, totalBookings, lastAssignment } = eventTypeHosts
  const last = sql`(SELECT max(last_assignment) FROM event_type_hosts WHERE event_type_id = ${at.eventTypeId})`
  return db
    .update(eventTypeHosts)
    .set({
      totalBookings: sql`${totalBookings} + 1`,
      lastBookingAt: sql`${at.now}`,
      lastAssignment: sql`CASE ${at.step} WHEN 1 THEN ${last} + 1 ELSE ${lastAssignment} END`,
    })
    .where(
      and(
        eq(eventTypeId, at.eventTypeId),
        sql`${memberId} IN (SELECT value FROM json_each(${at.memberIds}))`,
      ),
    )
})

/** Counts a booking for the hosts who were given it; `isAssignment` also moves the order of assignments on. */
export function creditHosts(
  db: Db,
  eventTypeId: string,
  memberIds: readonly string[],
  isAssignment: boolean,
  now: number,
): Statement[] {
  if (memberIds.length === 0) return []
  return [
    creditOnce(db, { eventTypeId, memberIds: JSON.stringify(memberIds), step: Number(isAssignment), now }),
  ]
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

const deleteHoldsOf = builtOnce((db, at: At<{ holderId: string }>) =>
  db.delete(holds).where(eq(holds.holderId, at.holderId)),
)

export function releaseHold(db: Db, holderId: string): Statement {
  return deleteHoldsOf(db, { holderId })
}

export function deleteTestBookingsOf(db: Db, eventTypeId: string): Statement[] {
  const isTheirs = and(eq(bookings.eventTypeId, eventTypeId), eq(bookings.isTest, true))
  const theirs = db.select({ id: bookings.id }).from(bookings).where(isTheirs)
  return [
    db.delete(holds).where(inArray(holds.holderId, theirs)),
    db
      .delete(holds)
      .where(
        inArray(
          holds.holderId,
          db.select({ id: sessions.id }).from(sessions).where(eq(sessions.eventTypeId, eventTypeId)),
        ),
      ),
    db.delete(sessions).where(eq(sessions.eventTypeId, eventTypeId)),
    ...forgetTestCalls(db, eventTypeId),
    db.delete(bookings).where(isTheirs),
    db
      .update(eventTypes)
      .set({ activeBookings: 0 })
      .where(and(eq(eventTypes.id, eventTypeId), eq(eventTypes.isTest, true))),
  ]
}

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

export function linkBookings(db: Db, ids: readonly string[], url: string, now: number): Statement[] {
  return [
    db
      .update(bookings)
      .set({ conferencingUrl: url, revision: sql`${bookings.revision} + 1`, updatedAt: now })
      .where(sql`${bookings.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    callForLinked(db, ids, url),
  ]
}
