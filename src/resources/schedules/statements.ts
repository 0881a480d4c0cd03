import { and, eq, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { schedules } from '../../db/schema/hours.ts'

const IS_USED =
  sql.raw(`(EXISTS (SELECT 1 FROM event_types WHERE schedule_id = schedules.id AND deleted_at IS NULL)
  OR EXISTS (SELECT 1 FROM event_type_hosts WHERE schedule_id = schedules.id))`)

/** In the batch that removes a member, after their hosting: hours that others go by become the organization's. */
export function dropSchedulesOf(db: Db, memberId: string): Statement[] {
  const isTheirs = eq(schedules.memberId, memberId)
  return [
    db.update(schedules).set({ memberId: null, isDefault: false }).where(and(isTheirs, IS_USED)),
    db.delete(schedules).where(isTheirs),
  ]
}

/** Empties the sandbox of schedules, after its event types; whatever goes by them still keeps them. */
export function dropTestSchedules(db: Db, organizationId: string): Statement {
  const isOurs = and(eq(schedules.organizationId, organizationId), eq(schedules.isTest, true))
  return db.delete(schedules).where(and(isOurs, sql`NOT ${IS_USED}`))
}
