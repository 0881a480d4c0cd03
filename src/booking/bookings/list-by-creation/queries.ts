import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { resourceIdOf } from '../../../core/resource-id.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { inOrder, isUpwards, onPage } from '../../../platform/db/list-page.ts'
import { type BookingRow, bookings } from '../../../platform/db/schema/bookings.ts'
import type { BookingQuery } from '../list-filters/schema.ts'
import {
  hasFewBookings,
  hostedTogetherBy,
  indexFor,
  isAmong,
  isOfMember,
  matches,
  startsInRange,
  statusesOf,
  takesPart,
} from '../list-filters/statements.ts'

const { eventTypeId, status, startTime, createdAt, id } = bookings

/** A range of starts with no more bookings than this is read as a whole. */
const NARROW = 500
/** A member with no more holds than this is looked up by them. */
const FEW = 20

/** Bookings by creation, one more than the page holds: in parts, which `mergedByCreation` merges. */
export function selectByCreation(db: Db, tenant: Tenant, query: BookingQuery) {
  return partsOnPage(tenant, query).map((where) =>
    db
      .select()
      .from(bookings)
      .where(where)
      .orderBy(inOrder(id, query))
      .limit(query.limit + 1),
  )
}

export function mergedByCreation(rows: readonly BookingRow[], query: BookingQuery): BookingRow[] {
  const each = new Map(rows.map((row) => [row.id, row]))
  const upwards = [...each.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return (isUpwards(query) ? upwards : upwards.reverse()).slice(0, query.limit + 1)
}

/**
 * The bookings that a page by creation may have, in parts. Each is read to the end of a page, and together they may have a
 * booking twice. Merged by the database, each row would count several times.
 */
function partsOnPage(tenant: Tenant, query: BookingQuery): readonly (SQL | undefined)[] {
  const isRange = query.start_after !== undefined || query.start_before !== undefined
  if (hasFewBookings(query)) {
    return [and(matches(tenant, query, indexFor(query)), isOfMember(tenant, query), after(tenant, query))]
  }
  return isRange ? [inArray(id, idsInRange(tenant, query))] : newest(tenant, query)
}

function after(tenant: Tenant, query: BookingQuery, isIndexed = true): SQL | undefined {
  const of = (column: typeof id | typeof createdAt) => (isIndexed ? column : sql`+${column}`)
  return onPage({ id: of(id), createdAt: sql`+${createdAt}`, mayDiffer: tenant.isTest || !isIndexed }, query)
}

const page = (query: BookingQuery, ...where: (SQL | undefined)[]) =>
  sql`SELECT id FROM (SELECT id FROM bookings WHERE ${and(...where)} ORDER BY ${inOrder(sql`id`, query)} LIMIT ${query.limit + 1})`

/**
 * Those that a member hosts with others are found by their holds if these are few, and otherwise among the newest of the event
 * type, in most of which they take part. Cancelled ones hold no time.
 */
function newest(tenant: Tenant, query: BookingQuery, isAsked?: SQL): readonly (SQL | undefined)[] {
  const memberId = query.member_id?.toLowerCase()
  const onPage = after(tenant, query)
  if (memberId === undefined) return [and(matches(tenant, query, indexFor(query), isAsked), onPage)]
  const host = query.assigned_host_id?.toLowerCase()
  const theirs = { ...query, assigned_host_id: memberId }
  const assigned = host && host !== memberId ? sql`false` : matches(tenant, theirs, indexFor(theirs), isAsked)
  const resource = resourceIdOf(memberId, tenant.isTest)
  const isBusy = sql`(SELECT true FROM holds WHERE resource_id = ${resource} AND kept_by = '' LIMIT 1 OFFSET ${FEW}) IS NOT NULL`
  const together = hostedTogetherBy(memberId, tenant)
  const held = sql`${id} IN (SELECT coalesce(seat.id, holder_id) FROM (SELECT 1 WHERE EXISTS (${together}) AND NOT ${isBusy} LIMIT 1)
    CROSS JOIN holds LEFT JOIN bookings seat ON seat.session_id = holder_id
    WHERE resource_id = ${resource} AND kept_by = '') AND +${eventTypeId} IN (${together})`
  const active = statusesOf(query).filter((one) => one !== 'cancelled')
  const others = matches(tenant, { ...query, status: active }, [eventTypeId, status, id], isAsked)
  const often = sql`${eventTypeId} IN (${hostedTogetherBy(memberId, tenant, isBusy)}) AND ${others}`
  return [
    and(assigned, onPage),
    and(held, matches(tenant, query, [], isAsked), after(tenant, query, false)),
    and(often, onPage, takesPart(memberId, tenant)),
  ]
}

/**
 * An index by start is not in the order of a page. So a narrow range is read as a whole and sorted. In a wide range, the
 * newest bookings of the other filters are searched, which soon fills a page.
 */
function idsInRange(tenant: Tenant, query: BookingQuery): SQL {
  const { event_type_id: eventTypeIds } = query
  const inEventTypes = (isAsked: SQL) =>
    sql`${eventTypeId} IN (SELECT id FROM event_types WHERE organization_id = ${tenant.organizationId}
      AND is_test = ${Number(tenant.isTest)} AND ${eventTypeIds ? isAmong(sql`id`, eventTypeIds) : sql`true`} AND ${isAsked})`
  const isInRange = and(inEventTypes(sql`true`), startsInRange(query, startTime), after(tenant, query, false))
  const isWide = sql`(SELECT is_wide FROM width)`
  const narrow = [
    inEventTypes(sql`NOT ${isWide}`),
    matches(tenant, query, [startTime]),
    isOfMember(tenant, query),
    after(tenant, query, false),
  ]
  const pages = newest(tenant, query, isWide).map((where) => page(query, where))
  return sql`(WITH width AS MATERIALIZED (
      SELECT (SELECT true FROM bookings WHERE ${isInRange} LIMIT 1 OFFSET ${NARROW}) IS NOT NULL AS is_wide)
    ${sql.join([page(query, ...narrow), ...pages], sql` UNION ALL `)})`
}
