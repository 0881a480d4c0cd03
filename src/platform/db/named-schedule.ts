import { and, eq, sql } from 'drizzle-orm'
import type { Db, Statement } from './client.ts'
import { refuseWhen } from './refusals.ts'
import { schedules } from './schema/hours.ts'

type Tenant = { readonly organizationId: string; readonly isTest: boolean }

/** Looks up the owner of the schedule that an event type or a host names; no row when the schedule is not the tenant's. */
export function selectNamedSchedules(
  db: Db,
  { organizationId, isTest }: Tenant,
  id: string | null | undefined,
) {
  const { id: scheduleId, memberId, organizationId: organization, isTest: mode } = schedules
  if (id == null) return []
  const isNamed = and(eq(scheduleId, id), eq(organization, organizationId), eq(mode, isTest))
  return [db.select({ id: scheduleId, memberId }).from(schedules).where(isNamed)]
}

/** Refuses the batch when the schedule that it names was deleted in the meantime. */
export function guardNamedSchedule(db: Db, id: string | null | undefined): Statement[] {
  if (id == null) return []
  return [refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM schedules WHERE id = ${id})`)]
}
