import { asc, eq, sql } from 'drizzle-orm'
import type { Db, Statement } from '../db/client.ts'
import { refuseWhen } from '../db/refusals.ts'
import { availabilityOverrides, availabilityRules } from '../db/schema/event-types.ts'
import { freedTimes } from '../db/schema/waitlist.ts'
import type { Schedule } from './schedule.ts'

export function selectRules(db: Db, eventTypeId: string) {
  return db
    .select()
    .from(availabilityRules)
    .where(eq(availabilityRules.eventTypeId, eventTypeId))
    .orderBy(asc(availabilityRules.id))
}

export function selectOverrides(db: Db, eventTypeId: string) {
  return db
    .select()
    .from(availabilityOverrides)
    .where(eq(availabilityOverrides.eventTypeId, eventTypeId))
    .orderBy(asc(availabilityOverrides.date))
}

/** Refuses the batch when what was decided on is no longer so: the event type, its hours, or a suspension. */
export function refuseWhenChanged(db: Db, { eventType, organization }: Schedule): Statement {
  const isChanged = sql`NOT EXISTS (
    SELECT 1 FROM event_types JOIN organizations ON organizations.id = event_types.organization_id
    WHERE event_types.id = ${eventType.id} AND event_types.updated_at = ${eventType.updatedAt}
      AND event_types.deleted_at IS NULL AND organizations.suspended_at IS ${organization.suspendedAt}
      AND organizations.tier = ${organization.tier})`
  return refuseWhen(db, 'STALE', isChanged)
}

/** What was given up of the event type's time and not offered yet to those who wait. */
export function selectFreed(db: Db, eventTypeId: string) {
  return db
    .select()
    .from(freedTimes)
    .where(eq(freedTimes.eventTypeId, eventTypeId))
    .orderBy(asc(freedTimes.id))
}
