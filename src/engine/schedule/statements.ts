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
import type { CurrentVersion, Schedule } from './schedule.ts'

/**
 * For the batch of a decision on a schedule: refused if what is offered has changed, which is the event type, its hours,
 * those of people, their time off and limits, a suspension, or which calendars receive bookings, because a booking holds
 * one.
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

/** Released time of the event type that was not offered to the waitlist yet. */
export function selectFreed(db: Db, eventTypeId: string) {
  return db
    .select()
    .from(freedTimes)
    .where(eq(freedTimes.eventTypeId, eventTypeId))
    .orderBy(asc(freedTimes.id))
    .limit(MOST_FREED)
}

/** What the event type takes time of: itself, its hosts and calendars, and the units of its rooms. */
const RESOURCES = `SELECT resource_id FROM event_type_resources WHERE event_type_id = ?1
  UNION ALL SELECT resource_id FROM event_type_units WHERE event_type_id = ?1`

const endOnce = preparedStatement<readonly [eventTypeId: string, now: number]>(
  `UPDATE slot_holds SET status = 'expired', updated_at = ?2 WHERE status = 'held' AND expires_at <= ?2 AND id IN (
     SELECT id FROM slot_holds WHERE event_type_id = ?1 AND status = 'held' AND expires_at <= ?2
     UNION SELECT h.holder_id FROM holds h WHERE h.expires_at <= ?2
       AND h.resource_id IN (${RESOURCES})
     UNION SELECT w.id FROM holds h JOIN slot_holds w ON w.booking_id = h.holder_id AND w.status = 'held'
       WHERE h.expires_at <= ?2
         AND h.resource_id IN (${RESOURCES})
     UNION SELECT w.id FROM holds h JOIN slot_holds w ON w.session_id = h.holder_id AND w.status = 'held'
       WHERE h.expires_at <= ?2
         AND h.resource_id IN (${RESOURCES}))`,
)

/**
 * Deletes the expired holds of the event type's resources: triggers release their time and record it for the waitlist. They
 * blocked nothing before, but new rows could not replace them.
 */
export function endExpired(db: Db, eventTypeId: string, now: PresentMs): Statement {
  return endOnce(db, eventTypeId, now)
}

const select = preparedQuery<CurrentVersion, readonly [string]>(
  `SELECT e.version AS own, ${SHARED_VERSION} AS shared,
     CASE WHEN e.is_test THEN o.test_changes ELSE o.live_changes END AS changes
   FROM event_types e JOIN organizations o ON o.id = e.organization_id WHERE e.id = ?1`,
)

/**
 * The current version; no row if there is no such event type. At the end of a batch it is the version that the batch made:
 * if the one before was guarded, the schedule of this one is known, too. Whether a known schedule still holds says `isCurrent`.
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
 * The first statement of a batch that was decided from memory: refused as `STALE` if the version has changed. Decisions on
 * a loaded schedule use `guardSchedule`, which leaves the rest to the other fences: otherwise event types that share hosts
 * would refuse each other without need.
 */
export function guardVersion(
  db: Db,
  { eventType, version }: Pick<Schedule, 'eventType' | 'version'>,
): Statement {
  return guard(db, eventType.id, version.own, version.shared)
}

/**
 * Any time, if its invitee waits for another booking; for the batch that cancels a booking while upcoming bookings are
 * limited.
 */
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
