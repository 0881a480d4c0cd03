import { and, eq, sql } from 'drizzle-orm'
import type { Interval } from '../../core/interval.ts'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import type { PageRequest } from '../../platform/db/list-page.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import {
  calendarAccounts,
  calendarBusyTimes,
  calendarConnections,
  calendarEvents,
} from '../../platform/db/schema/calendars.ts'
import { timeOff } from '../../platform/db/schema/hours.ts'
import { type ResourceRow, resources } from '../../platform/db/schema/resources.ts'
import { listPage } from '../../platform/http/page.ts'

const inTenant = inTenantOf(resources)

/** One row more than the page holds, newest first. */
export function listResourcesInTenant(db: Db, tenant: Tenant, page: PageRequest): Promise<ResourceRow[]> {
  const all = inTenant(tenant)
  const list = { table: resources, all, where: all, mayDiffer: tenant.isTest }
  return listPage(db, db.select().from(resources), list, page)
}

export async function findResourceInTenant(db: Db, tenant: Tenant, id: string): Promise<ResourceRow | null> {
  const [row] = await db
    .select()
    .from(resources)
    .where(and(inTenant(tenant), eq(resources.id, id)))
  return row ?? null
}

export function insertResource(db: Db, row: ResourceRow): Statement {
  return db.insert(resources).values(row)
}

function guardAsRead(db: Db, { id, updatedAt }: ResourceRow): Statement {
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM resources WHERE id = ${id} AND updated_at = ${updatedAt})`
  return refuseWhen(db, 'STALE', isChanged)
}

/** Changes a resource that is still as it was read. */
export function updateResourceAsRead(db: Db, read: ResourceRow, changes: Partial<ResourceRow>): Statement[] {
  return [guardAsRead(db, read), db.update(resources).set(changes).where(eq(resources.id, read.id))]
}

/** How many event types that require a resource are listed. */
const MOST_NAMED = 100

export async function listRequiring(db: Db, id: string): Promise<string[]> {
  const rows = await db.all<{ event_type_id: string }>(
    sql`SELECT event_type_id FROM event_type_rooms WHERE resource_id = ${id} ORDER BY event_type_id LIMIT ${MOST_NAMED}`,
  )
  return rows.map(({ event_type_id }) => event_type_id)
}

/** Active bookings of these units that overlap any of the periods, by start. */
export async function listIdsIn(
  db: Db,
  units: readonly string[],
  periods: readonly Interval[],
): Promise<string[]> {
  const list = JSON.stringify(periods.map(({ start, end }) => [start, end]))
  const from = Math.min(...periods.map(({ start }) => start)) - MAX_HOLD_MS
  const until = Math.max(...periods.map(({ end }) => end))
  const holds = sql`json_each(${JSON.stringify(units)}) unit CROSS JOIN holds hold ON hold.resource_id = unit.value
    AND hold.kept_by = '' AND hold.starts_at > ${from} AND hold.starts_at < ${until}`
  const isIn = sql`b.status <> 'cancelled' AND EXISTS (SELECT 1 FROM json_each(${list})
    WHERE b.start_time < json_each.value ->> 1 AND b.end_time > json_each.value ->> 0)`
  const rows = await db.all<{ id: string }>(sql`
    SELECT b.id AS id, b.start_time AS start_time FROM ${holds}
      CROSS JOIN bookings b ON b.id = hold.holder_id AND b.session_id IS NULL WHERE ${isIn}
    UNION SELECT b.id, b.start_time FROM ${holds} CROSS JOIN bookings b ON b.session_id = hold.holder_id WHERE ${isIn}
    ORDER BY start_time, id`)
  return rows.map(({ id }) => id)
}

/** Deletes a resource that is still as it was read and that no event type requires, with its time off. */
export function deleteUnusedAsRead(db: Db, read: ResourceRow): Statement[] {
  const isRequired = sql`EXISTS (SELECT 1 FROM event_type_rooms WHERE resource_id = ${read.id})`
  return [
    guardAsRead(db, read),
    refuseWhen(db, 'STALE', isRequired),
    db.delete(timeOff).where(eq(timeOff.memberId, read.id)),
    ...deleteFeedsOf(db, read.id),
    db.delete(resources).where(eq(resources.id, read.id)),
  ]
}

/** The feeds of a resource, with all that was read in them: nobody else has their accounts. */
function deleteFeedsOf(db: Db, resourceId: string): Statement[] {
  const theirs = sql`(SELECT id FROM calendar_connections WHERE resource_id = ${resourceId})`
  return [
    db.delete(calendarBusyTimes).where(sql`${calendarBusyTimes.connectionId} IN ${theirs}`),
    db.delete(calendarEvents).where(sql`${calendarEvents.connectionId} IN ${theirs}`),
    db.delete(calendarAccounts).where(eq(calendarAccounts.memberId, resourceId)),
    db.delete(calendarConnections).where(eq(calendarConnections.resourceId, resourceId)),
  ]
}
