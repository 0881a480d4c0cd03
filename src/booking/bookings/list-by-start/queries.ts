import { and, eq, getTableColumns, gt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias, unionAll } from 'drizzle-orm/sqlite-core'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { resourceIdOf } from '../../../core/resource-id.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Query } from '../../../platform/db/client.ts'
import { cursorOf } from '../../../platform/db/list-page.ts'
import { type BookingRow, bookings, holds } from '../../../platform/db/schema/bookings.ts'
import type { BookingQuery } from '../list-filters/schema.ts'
import {
  hasFewBookings,
  indexFor,
  isOfMember,
  matches,
  matchesButStatus,
  statusesOf,
} from '../list-filters/statements.ts'

const { organizationId, isTest, eventTypeId, assignedHostId, status, startTime, createdAt, id } = bookings

const [held, seat] = [alias(holds, 'held'), alias(bookings, 'seat')]

/** The terms that D1 takes in a compound select. */
const MOST_PARTS = 5

/** Whether the database goes from the earlier to the later start. */
function isUpwards({ order, ending_before: before }: BookingQuery): boolean {
  return (order !== 'desc') === (before === undefined)
}

const directionOf = (query: BookingQuery) => sql.raw(isUpwards(query) ? 'ASC' : 'DESC')

function byStart(query: BookingQuery): [SQL, SQL] {
  const direction = directionOf(query)
  return [sql`${startTime} ${direction}`, sql`${id} ${direction}`]
}

/** Bookings by start, one more than the page holds: of a host in parts, which `mergedByStart` merges. */
export function selectByStart(db: Db, tenant: Tenant, query: BookingQuery): readonly Query<BookingRow>[] {
  const host = query.member_id ?? query.assigned_host_id
  if (host !== undefined && !hasFewBookings(query)) {
    return selectOfHost(db, tenant, query, host.toLowerCase())
  }
  const [first, second, ...others] = partsOf(tenant, query).map((where) =>
    db.select().from(bookings).where(where).$dynamic(),
  )
  const all = second === undefined ? first! : unionAll(first!, second, ...others)
  return [all.orderBy(...byStart(query)).limit(query.limit + 1) as typeof first & {}]
}

export function mergedByStart(rows: readonly BookingRow[], query: BookingQuery): BookingRow[] {
  const upwards = [...rows].toSorted((a, b) => a.startTime - b.startTime || (a.id < b.id ? -1 : 1))
  return (isUpwards(query) ? upwards : upwards.reverse()).slice(0, query.limit + 1)
}

/**
 * Parts that are each in the order of their starts along an index: the database merges them and stops at the end of the page.
 * D1 takes five at most, as many as there are statuses.
 */
function partsOf(tenant: Tenant, query: BookingQuery): (SQL | undefined)[] {
  if (hasFewBookings(query)) {
    return [and(matches(tenant, query, indexFor(query)), isOfMember(tenant, query), isBeyond(query))]
  }
  if (query.event_type_id === undefined) {
    return statusesOf(query).map((one) =>
      and(
        sql`${organizationId} || '/' || ${isTest} = ${`${tenant.organizationId}/${Number(tenant.isTest)}`}`,
        matchesButStatus(tenant, query, [startTime]),
        sql`${status} = ${one}`,
        isBeyond(query, startTime),
      ),
    )
  }
  const eventTypeIds = [...new Set(query.event_type_id)]
  if (eventTypeIds.length > MOST_PARTS) return [sql`${id} IN ${idsOfEventTypes(tenant, query, eventTypeIds)}`]
  return eventTypeIds.map((one) => isOfEventType(tenant, query, sql`${one}`))
}

function isOfEventType(tenant: Tenant, query: BookingQuery, eventType: SQL): SQL | undefined {
  const others = matches(tenant, { ...query, event_type_id: undefined }, [startTime])
  return and(sql`${eventTypeId} = ${eventType}`, others, isBeyond(query, startTime))
}

/** A start that the page may have; along an index, if the column of it is named. */
function isBeyond(query: BookingQuery, start: SQLWrapper = sql`+${startTime}`): SQL | undefined {
  const { starting_after: after, ending_before: before, created_after: since } = query
  const isPaged = after !== undefined || before !== undefined
  const cursor = sql`(SELECT start_time, id FROM bookings WHERE id = ${cursorOf(query)})`
  return and(
    isPaged ? sql`(${start}, ${id}) ${sql.raw(isUpwards(query) ? '>' : '<')} ${cursor}` : undefined,
    since === undefined ? undefined : gt(sql`+${createdAt}`, since),
  )
}

const page = (query: BookingQuery, rows: SQL) => {
  const direction = directionOf(query)
  return sql`SELECT id FROM (${rows} ORDER BY start_time ${direction}, id ${direction} LIMIT ${query.limit + 1})`
}

function idsOfEventTypes(tenant: Tenant, query: BookingQuery, eventTypeIds: readonly string[]): SQL {
  const where = isOfEventType(tenant, query, sql`asked.value`)
  return sql`(SELECT found.id FROM json_each(${JSON.stringify(eventTypeIds)}) asked CROSS JOIN bookings found
    ON found.id IN (${page(query, sql`SELECT start_time, id FROM bookings WHERE ${where}`)}))`
}

/** Active bookings along the host's holds, which never overlap and so are in the order of their starts; and cancelled ones. */
function selectOfHost(db: Db, tenant: Tenant, query: BookingQuery, hostId: string): Query<BookingRow>[] {
  const statuses = statusesOf(query)
  const { start_after: after, start_before: before } = query
  const cursor = sql`(SELECT start_time FROM bookings WHERE id = ${cursorOf(query)})`
  const isPaged = query.starting_after !== undefined || query.ending_before !== undefined
  const isHeld = and(
    sql`held.resource_id = ${resourceIdOf(hostId, tenant.isTest)} AND held.kept_by = ''`,
    after === undefined ? undefined : sql`held.starts_at > ${after - MAX_HOLD_MS}`,
    before === undefined ? undefined : sql`held.starts_at < ${before}`,
    !isPaged
      ? undefined
      : isUpwards(query)
        ? sql`held.starts_at > ${cursor} - ${MAX_HOLD_MS}`
        : sql`held.starts_at <= ${cursor}`,
  )
  const direction = directionOf(query)
  const active = db
    .select(getTableColumns(bookings))
    .from(held)
    .leftJoin(seat, eq(seat.sessionId, held.holderId))
    .innerJoin(bookings, sql`${id} = coalesce(${seat.id}, ${held.holderId})`)
    .where(
      and(
        isHeld,
        sql`+${status} <> 'cancelled'`,
        matches(tenant, query, []),
        isOfMember(tenant, query),
        isBeyond(query),
      ),
    )
    .orderBy(sql`held.starts_at ${direction}`, sql`${id} ${direction}`)
    .limit(query.limit + 1)
  const cancelled = db
    .select()
    .from(bookings)
    .where(
      and(
        sql`${assignedHostId} = ${hostId} AND ${status} = 'cancelled'`,
        matchesButStatus(tenant, query, [isTest, startTime]),
        isBeyond(query, startTime),
      ),
    )
    .orderBy(...byStart(query))
    .limit(query.limit + 1)
  return [
    ...(statuses.some((one) => one !== 'cancelled') ? [active] : []),
    ...(statuses.includes('cancelled') ? [cancelled] : []),
  ]
}
