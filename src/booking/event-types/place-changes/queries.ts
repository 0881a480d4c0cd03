import { and, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import type { EventTypeRow } from '../../../engine/schedule/schedule.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'

type OfEventType = Pick<EventTypeRow, 'id' | 'organizationId' | 'isTest'>

/** What bookings have of the place that they leave, and of the one that they follow to. */
export type Moving = {
  readonly link: { readonly from: string | null; readonly to: string | null }
  readonly location: { readonly from: string | null; readonly to: string | null }
  /** Whether each booking had a meeting of its own, whose link stays. */
  readonly isMade: boolean
  /** Whether others follow already: a booking may have the new link and the old location. */
  readonly isOnItsWay: boolean
}

/** One commit takes so many bookings along, and so many characters of them: an object has 128 MB. A series goes as a whole. */
const MOST_BOOKINGS = 500
const MOST_CHARACTERS = 4_000_000

const SIZE = sql`1000 + length(metadata) + length(attendees) + coalesce(length(guests), 0) + coalesce(length(notes), 0)
  + coalesce(length(answers), 0)`

/** The soonest bookings that are to follow, with the number of all that are. */
export function selectToFollow(db: Db, eventType: OfEventType, moving: Moving, now: AskedMs) {
  const upcoming = db
    .select({
      id: bookings.id,
      holder: sql`coalesce(series_id, id)`.as('holder'),
      first: sql`min(start_time) OVER (PARTITION BY coalesce(series_id, id))`.as('first'),
      size: SIZE.as('size'),
    })
    .from(bookings)
    .where(and(isUpcomingOf(eventType, now), isMoved(moving)))
  const earlier = sql.raw('(ORDER BY first, holder GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)')
  const part = sql`(SELECT id, count(*) OVER () AS upcoming, count(*) OVER ${earlier} AS earlier,
    coalesce(sum(size) OVER ${earlier}, 0) AS earlier_size FROM (${upcoming})) moved`
  return db
    .select({ booking: bookings, upcoming: sql<number>`moved.upcoming`.as('upcoming') })
    .from(part)
    .innerJoin(bookings, sql`${bookings.id} = moved.id`)
    .where(sql`moved.earlier < ${MOST_BOOKINGS} AND moved.earlier_size < ${MOST_CHARACTERS}`)
    .orderBy(bookings.startTime, bookings.id)
}

/** Those that have no link and keep it so: a meeting can be made for them. */
export function selectWithoutMeeting(db: Db, eventType: OfEventType, moving: Moving, now: AskedMs) {
  const hasNone = and(isNull(bookings.conferencingUrl), isNull(bookings.ownMeetingUrl))
  return db
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(isUpcomingOf(eventType, now), hasNone, sql`NOT (${isMoved(moving)})`))
}

/** The event type as it is now, even if it was deleted since, with the clock of its side. */
export function selectChanged(db: Db, { organizationId, isTest }: Tenant, id: string) {
  return db
    .select({ eventType: eventTypes, sandboxNow: organizations.sandboxNow })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(
      and(
        eq(eventTypes.id, id),
        eq(eventTypes.organizationId, organizationId),
        eq(eventTypes.isTest, isTest),
      ),
    )
}

/** A booking with a link of its own or a meeting of an earlier provider keeps that, and so it does its own location. */
function isMoved({ link, location, isMade, isOnItsWay }: Moving): SQL {
  const { conferencingUrl, ownMeetingUrl, location: itsLocation } = bookings
  const hadLink = sql`${conferencingUrl} IS ${link.from}`
  const hasLink = sql`(${ownMeetingUrl} IS NOT NULL OR ${hadLink} OR (${isOnItsWay} AND ${conferencingUrl} IS ${link.to}))`
  const linkMoves =
    isMade || link.from === link.to ? sql`false` : sql`(${ownMeetingUrl} IS NULL AND ${hadLink})`
  const locationMoves =
    location.from === location.to
      ? sql`false`
      : sql`(${itsLocation} IS ${location.from} AND ${isMade ? sql`true` : hasLink})`
  return sql`(${linkMoves} OR ${locationMoves})`
}

/** Active, not over, and without a place that its invitee chose. */
function isUpcomingOf({ id, organizationId, isTest }: OfEventType, now: AskedMs) {
  // A sandbox may have a clock of its own.
  const present = isTest
    ? sql`(SELECT coalesce(sandbox_now, ${now}) FROM organizations WHERE id = ${organizationId})`
    : sql`${now}`
  const isExpired = sql`${bookings.status} IN ('pending_approval', 'pending_payment') AND NOT EXISTS (
    SELECT 1 FROM slot_holds WHERE booking_id = ${bookings.id} AND status = 'held' AND expires_at > ${present})`
  return and(
    eq(bookings.eventTypeId, id),
    gt(bookings.startTime, sql`${present} - ${MAX_HOLD_MS}`),
    gt(bookings.endTime, present),
    ne(bookings.status, 'cancelled'),
    isNull(bookings.place),
    sql`NOT (${isExpired})`,
  )
}
