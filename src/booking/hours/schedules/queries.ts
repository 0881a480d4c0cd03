import { and, eq, sql } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { inTenantOf } from '../../../platform/db/in-tenant.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { type ScheduleRow, schedules } from '../../../platform/db/schema/hours.ts'
import { members, organizations } from '../../../platform/db/schema/organizations.ts'
import { listPage } from '../../../platform/http/page.ts'
import type { ScheduleQuery } from './schema.ts'

const inTenant = inTenantOf(schedules)

/** One row more than the page holds, newest first. */
export function listSchedulesInTenant(db: Db, tenant: Tenant, query: ScheduleQuery): Promise<ScheduleRow[]> {
  const all = inTenant(tenant)
  const { member_id: memberId } = query
  const where = memberId === undefined ? all : and(all, eq(schedules.memberId, memberId))
  return listPage(
    db,
    db.select().from(schedules),
    { table: schedules, all, where, mayDiffer: tenant.isTest },
    query,
  )
}

export async function findScheduleInTenant(db: Db, tenant: Tenant, id: string): Promise<ScheduleRow | null> {
  const [row] = await db
    .select()
    .from(schedules)
    .where(and(inTenant(tenant), eq(schedules.id, id)))
  return row ?? null
}

/** A schedule and its member's user: null for the organization's. */
export async function findScheduleAndUser(db: Db, tenant: Tenant, id: string) {
  const [row] = await db
    .select({ schedule: schedules, userId: members.userId })
    .from(schedules)
    .leftJoin(members, eq(members.id, schedules.memberId))
    .where(and(inTenant(tenant), eq(schedules.id, id)))
  return row ?? null
}

/** The organization's zone, and the member if one is named: null if there is no such member. */
export async function findOwner(db: Db, organizationId: string, memberId: string | null) {
  const [row] = await db
    .select({ zone: organizations.timezone, userId: members.userId, timezone: members.timezone })
    .from(organizations)
    .leftJoin(members, and(eq(members.organizationId, organizations.id), eq(members.id, memberId ?? '')))
    .where(eq(organizations.id, organizationId))
  return row!
}

const USED_BY =
  sql.raw(`SELECT 'event_type' AS kind, id, schedule_id FROM event_types WHERE deleted_at IS NULL
  UNION ALL SELECT 'event_type', id, default_schedule_id FROM event_types
    WHERE default_schedule_id <> '' AND schedule_id IS NULL AND deleted_at IS NULL
  UNION ALL SELECT 'event_type', host.event_type_id, host.schedule_id FROM event_type_hosts host
    JOIN event_types hosted ON hosted.id = host.event_type_id AND hosted.deleted_at IS NULL
  UNION ALL SELECT 'resource', id, schedule_id FROM resources`)

/** The event types that use it, themselves or for one of their hosts, and the resources: all, or as many as are asked for. */
export async function listUsers(db: Db, id: string, most = -1) {
  const rows = await db.all<{ kind: 'event_type' | 'resource'; id: string }>(
    sql`SELECT DISTINCT kind, id FROM (${USED_BY}) WHERE schedule_id = ${id} ORDER BY kind, id LIMIT ${most}`,
  )
  const idsOf = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.id)
  return { eventTypeIds: idsOf('event_type'), resourceIds: idsOf('resource') }
}

/** An event type that a schedule opens, or one host of it. */
export type Follower = {
  readonly eventTypeId: string
  readonly memberId: string | null
  /** 1 if it follows the schedule as the default of the organization or of the member. */
  readonly byDefault: number
  /** 1 if nothing else opens it. */
  readonly isOnly: number
}

/** Hours of an event type that takes those of its hosts are ignored. */
export function listFollowers(db: Db, id: string): Promise<Follower[]> {
  const counts = sql.raw("hours_from = 'own' AND deleted_at IS NULL")
  return db.all<Follower>(sql`
    SELECT id AS eventTypeId, NULL AS memberId, 0 AS byDefault, 1 AS isOnly FROM event_types
      WHERE schedule_id = ${id} AND ${counts}
    UNION ALL SELECT id, NULL, 1, 1 FROM event_types
      WHERE default_schedule_id = ${id} AND default_schedule_id <> '' AND schedule_id IS NULL AND ${counts}
    UNION ALL SELECT e.id, host.member_id, 0, e.hours_from = 'hosts' FROM event_type_hosts host
      CROSS JOIN event_types e ON e.id = host.event_type_id AND e.deleted_at IS NULL
      WHERE host.schedule_id = ${id}
    UNION ALL SELECT e.id, host.member_id, 1, e.hours_from = 'hosts' FROM schedules one
      CROSS JOIN event_type_hosts host ON host.member_id = one.member_id AND host.schedule_id IS NULL
      CROSS JOIN event_types e ON e.id = host.event_type_id AND e.is_test = one.is_test AND e.deleted_at IS NULL
      WHERE one.id = ${id} AND one.is_default`)
}

export function insertSchedule(db: Db, row: ScheduleRow): Statement {
  return db.insert(schedules).values(row)
}

function guardAsRead(db: Db, { id, updatedAt, memberId, isDefault }: ScheduleRow): Statement {
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM schedules WHERE id = ${id} AND updated_at = ${updatedAt}
    AND member_id IS ${memberId} AND is_default = ${isDefault ? 1 : 0})`
  return refuseWhen(db, 'STALE', isChanged)
}

/** Changes a schedule that is still as it was read. */
export function updateScheduleAsRead(db: Db, read: ScheduleRow, changes: Partial<ScheduleRow>): Statement[] {
  return [guardAsRead(db, read), db.update(schedules).set(changes).where(eq(schedules.id, read.id))]
}

/** Deletes a schedule that is still as it was read and unused. */
export function deleteUnusedAsRead(db: Db, read: ScheduleRow): Statement[] {
  const isUsed = sql`EXISTS (SELECT 1 FROM (${USED_BY}) WHERE schedule_id = ${read.id})`
  return [
    guardAsRead(db, read),
    refuseWhen(db, 'STALE', isUsed),
    db.delete(schedules).where(eq(schedules.id, read.id)),
  ]
}
