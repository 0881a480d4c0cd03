import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Interval } from '../../core/interval.ts'
import { keyNamed, memberNamed } from '../../outbox/makers/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { isCoHost } from '../../platform/db/co-hosts.ts'
import type { PageRequest } from '../../platform/db/list-page.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { calendarFeeds } from '../../platform/db/schema/calendars.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'
import { listPage } from '../../platform/http/page.ts'

export type FeedRow = typeof calendarFeeds.$inferSelect
export type ListedFeed = FeedRow & { readonly makerName: string | null }

const makerName = sql<string | null>`CASE ${calendarFeeds.createdByType}
  WHEN 'member' THEN ${memberNamed(sql`${calendarFeeds.createdById}`)}
  WHEN 'api_key' THEN ${keyNamed(sql`${calendarFeeds.createdById}`)} END`

/** One row more than the page holds, newest first. */
export function listFeedsInOrg(db: Db, organizationId: string, page: PageRequest): Promise<ListedFeed[]> {
  const select = db
    .select({ ...getTableColumns(calendarFeeds), makerName: makerName.as('maker_name') })
    .from(calendarFeeds)
  const all = eq(calendarFeeds.organizationId, organizationId)
  return listPage(db, select, { table: calendarFeeds, all, mayDiffer: false }, page)
}

export async function hasMember(db: Db, organizationId: string, memberId: string): Promise<boolean> {
  const isTheirs = and(eq(members.organizationId, organizationId), eq(members.id, memberId))
  return (await db.$count(members, isTheirs)) > 0
}

export function insertFeed(db: Db, row: FeedRow): Statement {
  return db.insert(calendarFeeds).values(row)
}

export function selectFeedInOrg(db: Db, organizationId: string, id: string) {
  return db
    .select()
    .from(calendarFeeds)
    .where(and(eq(calendarFeeds.organizationId, organizationId), eq(calendarFeeds.id, id)))
}

export function deleteFeed(db: Db, id: string): Statement {
  return db.delete(calendarFeeds).where(eq(calendarFeeds.id, id))
}

/** The feed behind an address, and whose it is. */
export function selectFeed(db: Db, tokenHash: string) {
  return db
    .select({ feed: calendarFeeds, organizationName: organizations.name })
    .from(calendarFeeds)
    .innerJoin(organizations, eq(organizations.id, calendarFeeds.organizationId))
    .where(eq(calendarFeeds.tokenHash, tokenHash))
}

/** More than this is in no feed: a program that reads it would not. */
const MOST = 5_000

/** Live bookings that start in `range`, those nearest to `now` where there are too many; cancelled ones as long as they were so after `cancelledSince`. */
export function selectFeedBookings(
  db: Db,
  { organizationId, memberId }: Pick<FeedRow, 'organizationId' | 'memberId'>,
  range: Interval,
  now: number,
  cancelledSince: number,
) {
  // What was never approved or paid was in no calendar before either.
  const wasCertain = sql`NOT EXISTS (SELECT 1 FROM slot_holds w
    WHERE w.booking_id = ${bookings.id} AND w.purpose <> 'hold' AND w.status <> 'confirmed')`
  const isTold = sql`(${bookings.status} IN ('confirmed', 'rescheduled')
    OR (${bookings.status} = 'cancelled' AND ${bookings.cancelledAt} >= ${cancelledSince} AND ${wasCertain}))`
  return (
    db
      .select({
        booking: {
          id: bookings.id,
          status: bookings.status,
          startTime: bookings.startTime,
          endTime: bookings.endTime,
          inviteeName: bookings.inviteeName,
          attendees: bookings.attendees,
          notes: bookings.notes,
          location: bookings.location,
          place: bookings.place,
          conferencingUrl: bookings.conferencingUrl,
          revision: bookings.revision,
          updatedAt: bookings.updatedAt,
        },
        title: eventTypes.title,
      })
      .from(eventTypes)
      // In this order: the bookings of each event type by its index of starts. Those of deleted ones stay.
      .crossJoin(bookings)
      .where(
        and(
          eq(eventTypes.organizationId, organizationId),
          eq(eventTypes.isTest, false),
          eq(bookings.eventTypeId, eventTypes.id),
          sql`${bookings.startTime} >= ${range.start} AND ${bookings.startTime} < ${range.end}`,
          memberId === null
            ? undefined
            : sql`(+${bookings.assignedHostId} = ${memberId} OR ${isCoHost(sql`${bookings.coHosts}`, sql`${memberId}`)})`,
          isTold,
        ),
      )
      .orderBy(sql`abs(${bookings.startTime} - ${now})`, bookings.id)
      .limit(MOST)
  )
}
