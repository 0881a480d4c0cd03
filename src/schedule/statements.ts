import { asc, eq, sql } from 'drizzle-orm'
import type { Db, Statement } from '../db/client.ts'
import { preparedQuery, preparedStatement } from '../db/prepared.ts'
import { refuseWhen } from '../db/refusals.ts'
import { freedTimes } from '../db/schema/waitlist.ts'
import { SHARED_VERSION } from './queries.ts'
import type { Schedule } from './schedule.ts'
import type { ScheduleVersion } from './version.ts'

/**
 * For the batch of whatever was decided on a schedule: refuses it when that is no longer what is offered, which is the
 * event type, its hours, those of people, their time off and their limits, a suspension, or which of its calendars
 * receive bookings, for one of them is held.
 */
export function guardSchedule(db: Db, { eventType, organization, calendars }: Schedule): Statement {
  const use = calendars.map(({ connection }) => [connection.id, Number(connection.receivesBookings)])
  const isUsedSo = sql`(SELECT json_group_array(json_array(id, receives_bookings) ORDER BY id) FROM calendar_connections
    WHERE id IN (SELECT calendar_id FROM event_type_calendars WHERE event_type_id = ${eventType.id})) = ${JSON.stringify(use)}`
  const isChanged = sql`NOT EXISTS (
    SELECT 1 FROM event_types JOIN organizations ON organizations.id = event_types.organization_id
    WHERE event_types.id = ${eventType.id} AND event_types.updated_at = ${eventType.updatedAt}
      AND event_types.deleted_at IS NULL AND organizations.suspended_at IS ${organization.suspendedAt}
      AND organizations.hours_version = ${organization.hoursVersion} AND organizations.tier = ${organization.tier}${use.length === 0 ? sql`` : sql` AND ${isUsedSo}`})`
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

const select = preparedQuery<ScheduleVersion, readonly [string]>(
  `SELECT e.version AS own, ${SHARED_VERSION} AS shared
   FROM event_types e JOIN organizations o ON o.id = e.organization_id WHERE e.id = ?1`,
)

/**
 * The version as it is now; no row where there is no such event type. At the end of a batch it tells the version that
 * the batch has made: whoever knew the one before, and guarded it, knows what this one stands for.
 */
export function selectVersion(db: Db, eventTypeId: string) {
  return select(db, eventTypeId)
}

const guard = preparedStatement<readonly [string, number, number]>(
  `INSERT INTO guard (fence, refused) VALUES ('STALE', NOT EXISTS (
     SELECT 1 FROM event_types e JOIN organizations o ON o.id = e.organization_id
     WHERE e.id = ?1 AND e.version = ?2 AND ${SHARED_VERSION} = ?3))`,
)

/**
 * The first statement of a batch that was decided on from memory: refuses it (`STALE`) when the version has moved on.
 * What was decided on a schedule that was loaded for it takes `guardSchedule` instead, which leaves to the other fences
 * what they see: else event types that share hosts would go on refusing each other for nothing.
 */
export function guardVersion(
  db: Db,
  { eventType, version }: Pick<Schedule, 'eventType' | 'version'>,
): Statement {
  return guard(db, eventType.id, version.own, version.shared)
}
