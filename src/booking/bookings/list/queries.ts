import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import type { Interval } from '../../../core/interval.ts'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { resourceIdOf } from '../../../core/resource-id.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { cursorOf } from '../../../platform/db/list-page.ts'
import { type BookingRow, bookings } from '../../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { slotHolds } from '../../../platform/db/schema/slot-holds.ts'
import { assertCursor } from '../../../platform/http/page.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import { mergedByCreation, selectByCreation } from '../list-by-creation/queries.ts'
import { mergedByStart, selectByStart } from '../list-by-start/queries.ts'
import type { BookingQuery } from '../list-filters/schema.ts'
import { isAmong } from '../list-filters/statements.ts'

const { organizationId, isTest, eventTypeId, status, startTime, id } = bookings

/** One row more than the page holds, in its order. */
export async function listBookingsInTenant(
  db: Db,
  tenant: Tenant,
  query: BookingQuery,
): Promise<BookingRow[]> {
  const [select, merged] =
    query.sort === 'start_time' ? [selectByStart, mergedByStart] : [selectByCreation, mergedByCreation]
  const [cursor, ...found] = await db.batch([
    db
      .select({ id })
      .from(bookings)
      .where(
        and(eq(organizationId, tenant.organizationId), eq(isTest, tenant.isTest), eq(id, cursorOf(query))),
      ),
    ...select(db, tenant, query),
  ])
  assertCursor(query, cursor)
  return found.length === 1 ? found[0]! : merged(found.flat(), query)
}

/** The event types of bookings, by id. */
export async function findBookedEventTypes(db: Db, rows: readonly Pick<BookingRow, 'eventTypeId'>[]) {
  const { title, durationMinutes } = eventTypes
  const ids = [...new Set(rows.map((row) => row.eventTypeId))]
  const found = await db
    .select({ id: eventTypes.id, title, durationMinutes })
    .from(eventTypes)
    .where(isAmong(eventTypes.id, ids))
  return new Map(found.map((row) => [row.id, row]))
}

/** A page of an agenda: from an instant on, in the order of the starts, or backwards from it. */
export type AgendaRange = {
  readonly from: number
  readonly until: number
  readonly isBackwards: boolean
  /** Cancelled bookings instead of all others. */
  readonly isCancelled: boolean
  /** The last booking of the page before. */
  readonly after: { readonly start: number; readonly id: string } | null
  readonly limit: number
}

/** What an agenda shows besides the booking, under names that no column of it has. */
const agendaColumns = {
  ...getTableColumns(bookings),
  eventTitle: sql<string>`${eventTypes.title}`.as('event_title'),
  eventColor: sql<string>`${eventTypes.color}`.as('event_color'),
}
export type AgendaRow = BookingRow & { readonly eventTitle: string; readonly eventColor: string }

/**
 * Bookings by their start. No index has the starts of all event types in one order, so each event type contributes as many
 * as the page may have, and the first of all are taken.
 */
export async function listAgenda(db: Db, tenant: Tenant, range: AgendaRange): Promise<AgendaRow[]> {
  const { from, until, isBackwards, isCancelled, after, limit } = range
  const order = sql.raw(isBackwards ? 'DESC' : 'ASC')
  const beyond =
    after === null
      ? sql`true`
      : isBackwards
        ? sql`(b.start_time, b.id) < (${after.start}, ${after.id})`
        : sql`(b.start_time, b.id) > (${after.start}, ${after.id})`
  const ids = sql`SELECT x.id FROM event_types e CROSS JOIN bookings x ON x.id IN (
      SELECT b.id FROM bookings b WHERE b.event_type_id = e.id AND b.start_time >= ${from} AND b.start_time < ${until}
        AND (b.status = 'cancelled') = ${Number(isCancelled)} AND ${beyond} ORDER BY b.start_time ${order}, b.id ${order} LIMIT ${limit + 1})
    WHERE e.organization_id = ${tenant.organizationId} AND e.is_test = ${Number(tenant.isTest)}`
  return db
    .select(agendaColumns)
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, eventTypeId))
    .where(sql`${id} IN (${ids})`)
    .orderBy(sql`${startTime} ${order}, ${id} ${order}`)
    .limit(limit + 1)
}

/** What invitees of these bookings typed and what is sealed. */
export function selectSealed(db: Db, tenant: Tenant, ids: readonly string[]) {
  const { answers, inviteePhone } = bookings
  return db
    .select({ id, answers, inviteePhone })
    .from(sql`json_each(${JSON.stringify(ids)}) one`)
    .innerJoin(bookings, sql`${id} = one.value`)
    .where(
      and(eq(sql`+${organizationId}`, tenant.organizationId), eq(sql`+${isTest}`, Number(tenant.isTest))),
    )
}

/** What awaits approval and until when, the oldest request first: one more than `limit`. */
export function listRequests(
  db: Db,
  tenant: Tenant,
  { now, after, limit }: { readonly now: AskedMs; readonly after: string | null; readonly limit: number },
): Promise<(AgendaRow & { readonly decideBy: number })[]> {
  return db
    .select({ ...agendaColumns, decideBy: sql<number>`${slotHolds.expiresAt}`.as('decide_by') })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, eventTypeId))
    .innerJoin(slotHolds, eq(slotHolds.id, id))
    .where(
      and(
        eq(organizationId, tenant.organizationId),
        eq(isTest, tenant.isTest),
        eq(status, 'pending_approval'),
        gt(id, after ?? ''),
        gt(slotHolds.expiresAt, now),
      ),
    )
    .orderBy(asc(id))
    .limit(limit + 1)
}

/** Those of these ids that belong to the tenant, by their start. */
export function listBookingsById(db: Db, tenant: Tenant, ids: readonly string[]): Promise<AgendaRow[]> {
  return db
    .select(agendaColumns)
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, eventTypeId))
    .where(
      and(
        isAmong(id, ids),
        eq(sql`+${organizationId}`, tenant.organizationId),
        eq(sql`+${isTest}`, Number(tenant.isTest)),
      ),
    )
    .orderBy(asc(startTime), asc(id))
}

/** An event type, or what one of its hosts takes part in. */
export type Booked = { readonly eventTypeId: string; readonly memberId?: string | null }

/** Active bookings of these that overlap any of the periods, by start. */
export function listIdsIn(
  db: Db,
  { organizationId: ours, isTest: mode }: Tenant,
  booked: readonly Booked[],
  periods: readonly Interval[],
): Promise<{ readonly id: string }[]> {
  const list = JSON.stringify(periods.map(({ start, end }) => [start, end]))
  const of = JSON.stringify(
    booked.map(({ eventTypeId: type, memberId }) => [type, memberId ? resourceIdOf(memberId, mode) : null]),
  )
  const holds = (holder: string) =>
    sql.raw(`(SELECT true FROM holds INDEXED BY holds_holder WHERE holder_id = ${holder}
      AND resource_id = one.value ->> 1 AND kept_by = '' LIMIT 1) IS NOT NULL`)
  return db.all<{
    id: string
  }>(sql`SELECT DISTINCT b.id AS id, b.start_time AS start_time FROM json_each(${of}) one CROSS JOIN json_each(${list}) day
      CROSS JOIN bookings b ON b.event_type_id = one.value ->> 0
        AND b.start_time > (day.value ->> 0) - ${MAX_HOLD_MS} AND b.start_time < day.value ->> 1
    WHERE b.end_time > day.value ->> 0 AND b.status <> 'cancelled'
      AND +b.organization_id = ${ours} AND +b.is_test = ${Number(mode)}
      AND (one.value ->> 1 IS NULL OR ${holds('b.id')} OR ${holds('b.session_id')})
    ORDER BY b.start_time, b.id`)
}
