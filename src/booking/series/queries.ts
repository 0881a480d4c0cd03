import { and, asc, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { BRANDING_COLUMNS } from '../../platform/db/branding-columns.ts'
import type { Db } from '../../platform/db/client.ts'
import { isAddress } from '../../platform/db/email-spellings.ts'
import { type At, named, queryOnce } from '../../platform/db/prepared.ts'
import type { AssignedHost } from '../../platform/db/schema/assigned-host.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { series } from '../../platform/db/schema/series.ts'
import { slotHolds } from '../../platform/db/schema/slot-holds.ts'
import { isInTime } from '../../platform/db/waits-until.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'

const fields = { series, sandboxNow: organizations.sandboxNow }

export function selectSeriesAndClock(db: Db, id: string) {
  return db
    .select(fields)
    .from(series)
    .innerJoin(organizations, eq(organizations.id, series.organizationId))
    .where(eq(series.id, id))
}

/** All that its invitee sees besides its bookings. No two columns have one name. */
export function selectSeriesWithOwner(db: Db, id: string) {
  const { title, color, timezone, conferencingProvider } = eventTypes
  const { name, sandboxNow } = organizations
  return db
    .select({
      series,
      eventType: { title, color, timezone, conferencingProvider },
      organization: { name, sandboxNow, ...BRANDING_COLUMNS },
    })
    .from(series)
    .innerJoin(eventTypes, eq(eventTypes.id, series.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, series.organizationId))
    .where(eq(series.id, id))
}

const bookingsOfSeries = queryOnce((db, at: At<{ id: string }>) => ({
  fields: getTableColumns(bookings),
  query: db
    .select()
    .from(bookings)
    .where(eq(bookings.seriesId, at.id))
    .orderBy(asc(bookings.startTime), asc(bookings.id)),
}))

/** All bookings of a series, cancelled ones too, by start. */
export function selectBookingsOfSeries(db: Db, id: string) {
  return bookingsOfSeries(db, { id })
}

const booked = alias(bookings, 'b')

/** At which of these starts one of these addresses, in lower case, has a seat, and whether that is in a session. */
export function selectTakenBy(
  db: Db,
  eventTypeId: string,
  starts: readonly number[],
  emails: readonly string[],
  now: PresentMs,
) {
  const email = sql<string>`lower(seat.value ->> 'email')`
  return db
    .select({ start: booked.startTime, email: email.as('email'), sessionId: booked.sessionId })
    .from(booked)
    .innerJoin(sql`json_each(${booked.attendees}) seat`, isAddress(email, ...emails))
    .where(
      and(
        eq(booked.eventTypeId, eventTypeId),
        sql`${booked.startTime} IN (SELECT value FROM json_each(${JSON.stringify(starts)}))`,
        ne(booked.status, 'cancelled'),
        isInTime(now),
      ),
    )
}

/** What its bookings that await or awaited approval held. */
export function selectRequestsOfSeries(db: Db, seriesId: string) {
  const { id, status, expiresAt } = slotHolds
  return db
    .select({ id, status, expiresAt })
    .from(slotHolds)
    .where(
      and(
        sql`${id} IN (SELECT id FROM bookings WHERE series_id = ${seriesId})`,
        eq(slotHolds.purpose, 'approval'),
      ),
    )
}

/** The members under whose name time of a series is held, each with the holder. */
export function selectStayingOfSeries(db: Db, seriesId: string) {
  const host = sql`json_object('member_id', m.id, 'user_id', m.user_id, 'email', m.user_email)`
  const rows = sql`(SELECT held.holder_id AS holder, ${host} AS staying FROM holds held
    JOIN members m ON m.id = substr(held.resource_id, 1, 36)
    WHERE held.kept_by = '' AND held.holder_id IN (SELECT coalesce(session_id, id) FROM bookings WHERE series_id = ${seriesId}))`
  return db
    .select({
      holder: sql<string>`holder`.as('holder'),
      host: named(sql`staying`, (text: string) => JSON.parse(text) as AssignedHost, 'host'),
    })
    .from(rows)
}

/** What an invitee's cancellation depends on, besides the bookings themselves. */
export function selectTermsOfSeries(db: Db, eventTypeId: string) {
  const { cancelNoticeMinutes, inviteeLimit } = eventTypes
  return db
    .select({ cancelNoticeMinutes, inviteeLimit })
    .from(eventTypes)
    .where(eq(eventTypes.id, eventTypeId))
}
