import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { preparedQuery, preparedStatement } from '../../platform/db/prepared.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { isWithoutHosts, sharedCalendar } from '../sharing/shared-calendar.ts'

/** How many conflicts a refusal lists. */
const MOST_CONFLICTS = 20

const PRESENT = 'iif(c.is_test, coalesce(o.sandbox_now, ?3), ?3)'
const bookingOf = (holder: string) => `coalesce(
  (SELECT id FROM bookings WHERE id = ${holder} AND session_id IS NULL),
  (SELECT min(id) FROM bookings WHERE session_id = ${holder} AND status <> 'cancelled'))`

/**
 * The upcoming holds of event types without hosts on calendars of the owner that they will not have under the member ?2, with
 * the calendar that they hold then.
 */
const MOVED = `moved AS MATERIALIZED (
  SELECT held.*, c.id AS calendar_id, ${sharedCalendar('c.is_test', '?2')} AS target
  FROM organizations o JOIN members m ON m.organization_id = o.id AND m.user_id = o.owner_user_id
  CROSS JOIN calendar_connections c ON c.member_id = m.id AND c.id IS NOT o.default_calendar_connection_id
  CROSS JOIN holds held ON held.resource_id = c.id AND held.kept_by = ''
    AND held.starts_at > ${PRESENT} - ${MAX_HOLD_MS} AND held.ends_at > ${PRESENT}
  WHERE o.id = ?1 AND ${isWithoutHosts('held.holder_id')})`

/** What holds a part of the same time there already, or will. */
const CLASHES = `SELECT moved.*, other.holder_id AS other_id FROM moved CROSS JOIN holds other ON other.kept_by = ''
  AND other.resource_id = moved.target AND other.starts_at > moved.starts_at - ${MAX_HOLD_MS}
  AND other.starts_at < moved.ends_at AND other.ends_at > moved.starts_at
  WHERE other.holder_id <> moved.holder_id
  UNION SELECT moved.*, other.holder_id FROM moved JOIN moved other ON other.calendar_id > moved.calendar_id
  AND other.target = moved.target AND other.starts_at < moved.ends_at AND other.ends_at > moved.starts_at
  WHERE other.holder_id <> moved.holder_id`

/** A booking that cannot come along, and the one at the same time; null while that is a hold. */
export type OwnershipConflict = {
  readonly booking_id: string | null
  readonly start_time: number
  readonly with_booking_id: string | null
}

type Args = readonly [organizationId: string, memberId: string, now: number]

const conflicts = preparedQuery<OwnershipConflict, Args>(
  `WITH ${MOVED} SELECT ${bookingOf('holder_id')} AS booking_id, coalesce(meets_at, starts_at) AS start_time,
     ${bookingOf('other_id')} AS with_booking_id FROM (${CLASHES}) ORDER BY start_time, 1, 3 LIMIT ${MOST_CONFLICTS}`,
)

/** The bookings that would overlap if the member owned the organization, the soonest first. */
export function selectOwnershipConflicts(db: Db, organizationId: string, memberId: string, now: RealMs) {
  return conflicts(db, organizationId, memberId, now)
}

const moves = [
  `INSERT INTO guard (fence, refused) SELECT 'STALE', EXISTS (WITH ${MOVED} ${CLASHES})`,
  `WITH ${MOVED} INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, kept_by, meets_at, expires_at)
   SELECT DISTINCT target, starts_at, ends_at, holder_id, '', meets_at, expires_at FROM moved
   WHERE target IS NOT NULL AND NOT EXISTS (SELECT 1 FROM holds own
     WHERE own.holder_id = moved.holder_id AND own.resource_id = moved.target)`,
  `WITH ${MOVED} DELETE FROM holds WHERE kept_by = ''
     AND (resource_id, starts_at) IN (SELECT calendar_id, starts_at FROM moved WHERE target IS NOT NULL)`,
].map((text) => preparedStatement<Args>(text))

/**
 * Before a member becomes the owner: what the owner's calendar holds for event types without hosts, the member's holds. The
 * batch is refused if something there overlaps.
 */
export function moveSharedHolds(
  db: Db,
  organizationId: string,
  memberId: string,
  now: RealMs,
): readonly Statement[] {
  return moves.map((statement) => statement(db, organizationId, memberId, now))
}
