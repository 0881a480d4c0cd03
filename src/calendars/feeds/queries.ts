import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Interval } from '../../core/interval.ts'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import { resourceIdOf } from '../../core/resource-id.ts'
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
/** Of so many cancelled bookings of others on each side of the present, those that a member took part in are found. */
const MOST_CANCELLED = 1_000

type Whose = Pick<FeedRow, 'organizationId' | 'memberId'>

/**
 * Live bookings that start in `range`, those nearest to `now` where there are too many; cancelled ones as long as they were so
 * after `cancelledSince`. Each side of `now` is read along an index, so what is read does not grow with what is not shown.
 */
export function selectFeedBookings(
  db: Db,
  whose: Whose,
  range: Interval,
  now: number,
  cancelledSince: number,
) {
  const ahead = idsOnSide(whose, { start: now, end: range.end }, 'ASC', cancelledSince)
  const behind = idsOnSide(whose, { start: range.start, end: now }, 'DESC', cancelledSince)
  const nearest = sql`(SELECT id FROM (${ahead} UNION ALL ${behind})
    ORDER BY abs(start_time - ${now}), id LIMIT ${MOST}) nearest`
  return db
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
    .from(nearest)
    .crossJoin(bookings)
    .crossJoin(eventTypes)
    .where(and(sql`${bookings.id} = nearest.id`, eq(eventTypes.id, bookings.eventTypeId)))
}

function idsOnSide(whose: Whose, side: Interval, order: 'ASC' | 'DESC', cancelledSince: number): SQL {
  const direction = sql.raw(order)
  const inOrder = sql`ORDER BY start_time ${direction} LIMIT ${MOST}`
  const startsThere = sql`b.start_time >= ${side.start} AND b.start_time < ${side.end}`
  const ofTenant = sql`b.organization_id || '/' || b.is_test = ${`${whose.organizationId}/0`} AND ${startsThere}`
  // What was never approved or paid was in no calendar before either.
  const toldOf = (cancelled: SQL) => sql`SELECT id, start_time FROM (${cancelled}) ended
    WHERE cancelled_at >= ${cancelledSince} AND NOT EXISTS (SELECT 1 FROM slot_holds w
      WHERE w.booking_id = ended.id AND w.purpose <> 'hold' AND w.status <> 'confirmed')`
  const cancelledOf = (where: SQL, most: number) => sql`SELECT b.id, b.start_time, b.cancelled_at, b.co_hosts
    FROM bookings b WHERE ${where} AND b.status = 'cancelled' ORDER BY b.start_time ${direction} LIMIT ${most}`
  const { memberId } = whose
  if (memberId === null) {
    const withStatus = (status: string) =>
      sql`SELECT b.id, b.start_time FROM bookings b WHERE ${ofTenant} AND b.status = ${status}`
    return sql`SELECT * FROM (${withStatus('confirmed')} UNION ALL ${withStatus('rescheduled')}
      UNION ALL SELECT * FROM (${toldOf(cancelledOf(ofTenant, MOST))}) ${inOrder})`
  }
  const own = sql`b.assigned_host_id = ${memberId} AND b.is_test = 0 AND ${startsThere}`
  const shared = sql`SELECT * FROM (${cancelledOf(ofTenant, MOST_CANCELLED)}) WHERE ${isCoHost(sql`co_hosts`, sql`${memberId}`)}`
  // Active bookings along the member's holds, which never overlap and so are in the order of their starts.
  return sql`SELECT * FROM (SELECT * FROM (SELECT b.id, b.start_time FROM holds h
      LEFT JOIN bookings seat ON seat.session_id = h.holder_id CROSS JOIN bookings b ON b.id = coalesce(seat.id, h.holder_id)
      WHERE h.resource_id = ${resourceIdOf(memberId, false)} AND h.kept_by = ''
        AND h.starts_at > ${side.start - MAX_HOLD_MS} AND h.starts_at < ${side.end} AND ${startsThere}
        AND +b.status IN ('confirmed', 'rescheduled') ORDER BY h.starts_at ${direction} LIMIT ${MOST})
    UNION ALL ${toldOf(cancelledOf(own, MOST))} UNION ALL ${toldOf(shared)} ${inOrder})`
}
