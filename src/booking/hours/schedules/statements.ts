import { and, eq, sql } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { type ScheduleRow, schedules } from '../../../platform/db/schema/hours.ts'

/** One row, or none if it belongs to another tenant. */
export function selectScheduleOfMember(
  db: Db,
  { organizationId, isTest }: Tenant,
  memberId: string,
  id: string,
) {
  return db
    .select({ id: schedules.id })
    .from(schedules)
    .where(
      and(
        eq(schedules.organizationId, organizationId),
        eq(schedules.isTest, isTest),
        eq(schedules.memberId, memberId),
        eq(schedules.id, id),
      ),
    )
}

type Whose = { readonly memberId: string; readonly isTest: boolean }

/** The member has no default schedule in that mode any more. */
export function clearDefault(db: Db, { memberId, isTest }: Whose, now: number): Statement {
  return db
    .update(schedules)
    .set({ isDefault: false, updatedAt: sql`max(${schedules.updatedAt} + 1, ${now})` })
    .where(and(eq(schedules.memberId, memberId), eq(schedules.isTest, isTest), sql`is_default = 1`))
}

/** The same for the organization's own. */
export function clearOwnDefault(db: Db, { organizationId, isTest }: Tenant, now: number): Statement {
  return db
    .update(schedules)
    .set({ isDefault: false, updatedAt: sql`max(${schedules.updatedAt} + 1, ${now})` })
    .where(
      and(
        eq(schedules.organizationId, organizationId),
        eq(schedules.isTest, isTest),
        sql`is_default = 1 AND member_id IS NULL`,
      ),
    )
}

/** Makes this the member's default schedule; null means none. */
export function replaceDefault(db: Db, whose: Whose, id: string | null, now: number): Statement[] {
  if (id === null) return [clearDefault(db, whose, now)]
  const isThis = and(eq(schedules.id, id), eq(schedules.memberId, whose.memberId))
  const isGone = sql`NOT EXISTS (SELECT 1 FROM schedules WHERE id = ${id} AND member_id = ${whose.memberId})`
  return [
    refuseWhen(db, 'STALE', isGone),
    clearDefault(db, whose, now),
    db
      .update(schedules)
      .set({ isDefault: true, updatedAt: sql`max(${schedules.updatedAt} + 1, ${now})` })
      .where(isThis),
  ]
}

const IS_USED =
  sql.raw(`(EXISTS (SELECT 1 FROM event_types WHERE schedule_id = schedules.id AND deleted_at IS NULL)
  OR EXISTS (SELECT 1 FROM event_types
    WHERE default_schedule_id = schedules.id AND default_schedule_id <> '' AND schedule_id IS NULL AND deleted_at IS NULL)
  OR EXISTS (SELECT 1 FROM event_type_hosts WHERE schedule_id = schedules.id)
  OR EXISTS (SELECT 1 FROM resources WHERE schedule_id = schedules.id))`)

/**
 * For the batch that removes a member, after their hosting ended: schedules that are still used become the organization's.
 */
export function dropSchedulesOf(db: Db, memberId: string): Statement[] {
  const isTheirs = eq(schedules.memberId, memberId)
  return [
    db.update(schedules).set({ memberId: null, isDefault: false }).where(and(isTheirs, IS_USED)),
    db.delete(schedules).where(isTheirs),
  ]
}

/** Deletes these sandbox schedules, a JSON list, after their event types; those still in use stay. */
export function dropUnusedSchedules(db: Db, ids: string): Statement {
  return db.delete(schedules).where(sql`id IN (SELECT value FROM json_each(${ids})) AND NOT ${IS_USED}`)
}

/** Nothing is the default of that member, or of the organization, any more. */
export function clearDefaultOf(
  db: Db,
  { memberId, organizationId, isTest }: Pick<ScheduleRow, 'memberId' | 'organizationId' | 'isTest'>,
  now: number,
): Statement {
  return memberId === null
    ? clearOwnDefault(db, { organizationId, isTest }, now)
    : clearDefault(db, { memberId, isTest }, now)
}
