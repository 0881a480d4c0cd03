import { and, count, eq, gte, inArray, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Interval } from '../../core/interval.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { commitBatch, type Db, type Statement } from '../../platform/db/client.ts'
import { comesAfter } from '../../platform/db/due-page.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import type { PageRequest } from '../../platform/db/list-page.ts'
import { laterThan, refuseWhen } from '../../platform/db/refusals.ts'
import type { Region } from '../../platform/db/regions.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { calendarConnections } from '../../platform/db/schema/calendars.ts'
import { availabilityOverrides, availabilityRules, eventTypes } from '../../platform/db/schema/event-types.ts'
import { eventTypeHosts } from '../../platform/db/schema/hosts.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { freedTimes } from '../../platform/db/schema/waitlist.ts'
import { listPage } from '../../platform/http/page.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { type BookableFacts, bookableColumn } from '../bookable/statements.ts'
import { HOSTS_TO_CHOOSE } from '../shown-hosts/statements.ts'

export type EventTypeRow = typeof eventTypes.$inferSelect

const inTenant = inTenantOf(eventTypes)

/** An event type, with what decides whether it can be booked at all at the present. */
export type JudgedRow = { readonly eventType: EventTypeRow; readonly facts: BookableFacts }

export async function findEventTypeInTenant(
  db: Db,
  tenant: Tenant,
  id: string,
  now: number,
): Promise<JudgedRow | null> {
  const [row] = await selectJudged(db, now).where(
    and(inTenant(tenant), eq(eventTypes.id, id), isNull(eventTypes.deletedAt)),
  )
  return row ?? null
}

function selectJudged(db: Db, now: number) {
  return db.select({ eventType: eventTypes, facts: bookableColumn(now) }).from(eventTypes)
}

/** With the hosts whom invitees can choose. */
export async function findPublicEventType(db: Db, id: string) {
  const [row] = await db
    .select({ eventType: eventTypes, toChoose: HOSTS_TO_CHOOSE })
    .from(eventTypes)
    .where(and(eq(eventTypes.id, id), isNull(eventTypes.deletedAt)))
  return row ?? null
}

export function listEventTypesInTenant(
  db: Db,
  tenant: Tenant,
  page: PageRequest & { readonly active?: boolean | undefined; readonly listed?: boolean | undefined },
  now: number,
): Promise<JudgedRow[]> {
  const { active, listed } = page
  const all = inTenant(tenant)
  // Both values are listed if none is given, so that the index is used.
  const isActive = inArray(eventTypes.active, active === undefined ? [true, false] : [active])
  const isListed = listed === undefined ? undefined : eq(eventTypes.listed, listed)
  const where = and(all, isNull(eventTypes.deletedAt), isActive, isListed)
  const list = { table: eventTypes, all, where, mayDiffer: tenant.isTest }
  return listPage(db, selectJudged(db, now), list, page)
}

export async function getDefaultTimezone(db: Db, organizationId: string): Promise<string> {
  const [row] = await db
    .select({ timezone: organizations.timezone })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.timezone ?? 'UTC'
}

export async function findRegion(db: Db, organizationId: string): Promise<Region | null> {
  const [row] = await db
    .select({ region: organizations.region })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.region ?? null
}

export async function getSlug(db: Db, organizationId: string): Promise<string> {
  const [row] = await db
    .select({ slug: organizations.slug })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row!.slug
}

export async function getRedirectHosts(db: Db, organizationId: string): Promise<readonly string[] | null> {
  const [row] = await db
    .select({ hosts: organizations.allowedRedirectHosts })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.hosts ?? null
}

export type PeriodOf = { readonly eventTypeId: string; readonly period: Interval }

/** How many places of each event type's cap are taken besides its bookings, by start, at `now`; all in one round trip. */
export async function countHeld(
  db: Db,
  periods: readonly PeriodOf[],
  now: AskedMs,
): Promise<Map<string, number>> {
  if (periods.length === 0) return new Map()
  const queries = periods.map(({ eventTypeId, period }) =>
    db
      .select({ held: sql<number>`coalesce(sum(places), 0)` })
      .from(sql`cap_changes`)
      .where(
        sql`event_type_id = ${eventTypeId} AND since <= ${now} AND until > ${now}
          AND start_time >= ${period.start} AND start_time < ${period.end}`,
      ),
  )
  const results = (await db.batch(queries as [(typeof queries)[number]])) as { held: number }[][]
  return new Map(results.map(([row], at) => [periods[at]!.eventTypeId, row!.held]))
}

/** Active bookings by start, in each event type's own period; all in one round trip. */
export async function countActiveBookings(
  db: Db,
  periods: readonly PeriodOf[],
): Promise<Map<string, number>> {
  if (periods.length === 0) return new Map()
  const queries = periods.map(({ eventTypeId, period }) =>
    db
      .select({ eventTypeId: bookings.eventTypeId, active: count() })
      .from(bookings)
      .where(
        and(
          eq(bookings.eventTypeId, eventTypeId),
          gte(bookings.startTime, period.start),
          lt(bookings.startTime, period.end),
          ne(bookings.status, 'cancelled'),
        ),
      ),
  )
  const results = await db.batch(queries as [(typeof queries)[number]])
  return new Map(
    (results as { active: number }[][]).map(([row], at) => [periods[at]!.eventTypeId, row!.active]),
  )
}

export function insertEventType(db: Db, row: EventTypeRow): Statement {
  return db.insert(eventTypes).values(row)
}

/** Changes an event type if it is still as it was read; otherwise the batch is refused. */
export function updateEventTypeAsRead(
  db: Db,
  read: EventTypeRow,
  changes: Partial<EventTypeRow>,
  now: AskedMs,
): Statement[] {
  const { id, updatedAt } = read
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM event_types WHERE id = ${id} AND updated_at = ${updatedAt})`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db
      .update(eventTypes)
      .set({ ...changes, updatedAt: laterThan(updatedAt, now) })
      .where(eq(eventTypes.id, id)),
  ]
}

export function hideEventType(db: Db, id: string, deletedAt: number): Statement {
  const updatedAt = sql`max(${deletedAt}, ${eventTypes.updatedAt} + 1)`
  return db.update(eventTypes).set({ deletedAt, updatedAt }).where(eq(eventTypes.id, id))
}

export const DELETED_A_PAGE = 100
/** Deleted event types are checked for this long; those with bookings stay. */
const CHECKED_MS = 7 * DAY_MS

const isUnused = sql`NOT waitlist_enabled
  AND NOT EXISTS (SELECT 1 FROM bookings WHERE event_type_id = event_types.id)
  AND NOT EXISTS (SELECT 1 FROM payments WHERE event_type_id = event_types.id)`

/** Event types that were deleted before this instant and that nothing refers to. */
export function selectDeletedUnused(
  db: Db,
  before: number,
  last?: { readonly deletedAt: number | null; readonly id: string },
) {
  const { id, deletedAt } = eventTypes
  const isNext = comesAfter([deletedAt, id], last && [last.deletedAt, last.id])
  return db
    .select({ id, deletedAt })
    .from(eventTypes)
    .where(and(lt(deletedAt, before), gte(deletedAt, before - CHECKED_MS), isUnused, isNext))
    .orderBy(deletedAt, id)
    .limit(DELETED_A_PAGE)
}

export async function purgeEventTypes(db: Db, rows: readonly { readonly id: string }[]): Promise<void> {
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const unused = sql`(SELECT id FROM event_types WHERE id IN (SELECT value FROM json_each(${ids})) AND ${isUnused})`
  await commitBatch(db, [
    ...[availabilityRules, availabilityOverrides, eventTypeHosts, freedTimes].map((table) =>
      db.delete(table).where(sql`${table.eventTypeId} IN ${unused}`),
    ),
    db.delete(eventTypes).where(sql`${eventTypes.id} IN ${unused}`),
  ])
}

/** The calendar providers to which the tenant has an active connection, and whether they make meetings. */
export function listConnectedProviders(db: Db, { organizationId, isTest }: Tenant) {
  const { provider, providerMetadata, status } = calendarConnections
  const makesMeetings = sql<number>`coalesce(${providerMetadata} ->> 'makes_meetings', 1)`
  return db
    .selectDistinct({ provider, makesMeetings: makesMeetings.mapWith(Boolean).as('makes_meetings') })
    .from(calendarConnections)
    .where(
      and(
        eq(calendarConnections.organizationId, organizationId),
        eq(calendarConnections.isTest, isTest),
        eq(status, 'active'),
      ),
    )
}
