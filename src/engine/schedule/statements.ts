import { asc, eq, sql } from 'drizzle-orm'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { isAddress } from '../../platform/db/email-spellings.ts'
import { preparedQuery, preparedStatement } from '../../platform/db/prepared.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { freedTimes } from '../../platform/db/schema/waitlist.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { MOST_FREED, SHARED_VERSION } from './queries.ts'
import type { Schedule, ScheduleVersion } from './schedule.ts'

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
    .limit(MOST_FREED)
}

const endOnce = preparedStatement<readonly [eventTypeId: string, now: number]>(
  `UPDATE slot_holds SET status = 'expired', updated_at = ?2 WHERE status = 'held' AND expires_at <= ?2 AND id IN (
     SELECT id FROM slot_holds WHERE event_type_id = ?1 AND status = 'held' AND expires_at <= ?2
     UNION SELECT h.holder_id FROM holds h WHERE h.expires_at <= ?2
       AND h.resource_id IN (SELECT resource_id FROM event_type_resources WHERE event_type_id = ?1)
     UNION SELECT w.id FROM holds h JOIN slot_holds w ON w.booking_id = h.holder_id AND w.status = 'held'
       WHERE h.expires_at <= ?2
         AND h.resource_id IN (SELECT resource_id FROM event_type_resources WHERE event_type_id = ?1)
     UNION SELECT w.id FROM holds h JOIN slot_holds w ON w.session_id = h.holder_id AND w.status = 'held'
       WHERE h.expires_at <= ?2
         AND h.resource_id IN (SELECT resource_id FROM event_type_resources WHERE event_type_id = ?1))`,
)

/**
 * Tidies what is over by the clock of all that the event type's resources hold, for whomever: triggers give its time back
 * and write down what is owed of it. It blocked nothing before, but its rows stand in the way of what comes in its place.
 */
export function endExpired(db: Db, eventTypeId: string, now: PresentMs): Statement {
  return endOnce(db, eventTypeId, now)
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

/** Any time where its invitee waits for another one, for the batch that cancels the booking where these are limited. */
export function insertFreedForInvitee(
  db: Db,
  {
    id,
    sessionId,
    eventTypeId,
    inviteeEmail,
  }: Pick<BookingRow, 'id' | 'sessionId' | 'eventTypeId' | 'inviteeEmail'>,
): Statement {
  const isTheirs = sql`w.event_type_id = ${eventTypeId} AND w.status = 'waiting'
    AND ${isAddress(sql`lower(w.invitee_email)`, inviteeEmail)}`
  const source = `limit/${sessionId ?? id}`
  return db
    .insert(freedTimes)
    .select(
      sql`SELECT NULL, ${eventTypeId}, ${source}, 0, ${LAST_INSTANT} WHERE EXISTS (SELECT 1 FROM waitlist_entries w WHERE ${isTheirs})`,
    )
}
