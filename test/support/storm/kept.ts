import { unsoundDeadlines } from './sound.ts'
import { type Row, rows } from './world.ts'

/** Whoever holds time now: who comes for sure, and whose deadline has not come. */
const HOLDERS = `SELECT b.id, coalesce(b.session_id, b.id) AS holder, b.session_id, b.event_type_id, b.start_time, b.end_time,
    b.assigned_host_id AS host, b.co_hosts, json_array_length(b.attendees) AS seats
  FROM bookings b LEFT JOIN slot_holds w ON w.booking_id = b.id
    AND w.purpose = CASE b.status WHEN 'pending_approval' THEN 'approval' WHEN 'pending_payment' THEN 'payment' END
  WHERE b.organization_id = ?1 AND b.status <> 'cancelled' AND (w.id IS NULL OR (w.status = 'held' AND w.expires_at > ?2))
  UNION ALL SELECT id, coalesce(session_id, id), session_id, event_type_id, start_time, end_time, assigned_host_id, co_hosts, seats
  FROM slot_holds WHERE organization_id = ?1 AND purpose = 'hold' AND status = 'held' AND expires_at > ?2`

/** Rows of time of this organization: nobody else holds that of its members and event types. */
const HOLDS = `SELECT h.* FROM holds h WHERE substr(h.resource_id, 1, 36) IN (
    SELECT id FROM members WHERE organization_id = ?1 UNION SELECT id FROM event_types WHERE organization_id = ?1)`

/** Sessions with the seats that are really taken: what was given up in time is not, also while nobody has cancelled it. */
const SESSIONS = `SELECT s.*, e.max_attendees AS most, (SELECT coalesce(sum(json_array_length(b.attendees)), 0) FROM bookings b
      WHERE b.session_id = s.id AND b.status <> 'cancelled' AND NOT EXISTS (
        SELECT 1 FROM slot_holds w WHERE w.booking_id = b.id AND w.purpose <> 'hold' AND w.status = 'expired'))
    + (SELECT coalesce(sum(seats), 0) FROM slot_holds w
      WHERE w.session_id = s.id AND w.status = 'held' AND w.purpose = 'hold') AS really
  FROM sessions s JOIN event_types e ON e.id = s.event_type_id WHERE e.organization_id = ?1`

/** What of an organization is not as it has to be at `now`; `before` has the seats that were taken until the last change. */
export async function unsoundAt(
  organizationId: string,
  now: number,
  before: Map<string, number>,
): Promise<unknown[]> {
  const [holders, holds, sessions] = await Promise.all([
    rows(HOLDERS, organizationId, now),
    rows(HOLDS, organizationId),
    rows(SESSIONS, organizationId),
  ])
  const found = [
    ...holders.flatMap((one) => unsoundHolder(one, holds, sessions, now)),
    ...inTwoPlaces(holders),
    ...sessions.flatMap((one) => unsoundSession(one, holds, before)),
    ...(await unknownHolders(organizationId, holds, sessions)),
    ...(await unsoundDeadlines(rows)),
  ]
  before.clear()
  for (const { id, seats_taken } of sessions) before.set(id, seats_taken)
  return found
}

/**
 * Somebody's time is held once, as long as they hold it, by them or by their session. A later buffer ends where each host's
 * next meeting begins, so not all hosts hold the same.
 */
function unsoundHolder(one: Row, holds: readonly Row[], sessions: readonly Row[], now: number): unknown[] {
  const own = holds.filter(
    ({ holder_id, expires_at }) => holder_id === one.holder && !(expires_at <= now && expires_at),
  )
  const session = sessions.find(({ id }) => id === one.session_id)
  const isIn =
    one.session_id === null ||
    (session !== undefined && session.start_time === one.start_time && hostOf(session) === one.host)
  const isHeld =
    placesOf(one).every((place) => own.some(({ resource_id }) => resource_id.startsWith(place))) &&
    own.every((each) => each.starts_at <= one.start_time && each.ends_at >= (session ?? one).end_time)
  return isIn && isHeld ? [] : [{ unheld: one, own, session }]
}

function hostOf({ assigned_host }: Row): string | null {
  return assigned_host && JSON.parse(assigned_host).member_id
}

/** Everybody who hosts it, or its event type if nobody does. */
function placesOf({ host, co_hosts, event_type_id }: Row): string[] {
  const others = JSON.parse(co_hosts ?? '[]').map(({ member_id }: Row) => member_id)
  return [host ?? event_type_id, ...others]
}

/** Each host is in one place at a time, whatever is held. */
function inTwoPlaces(holders: readonly Row[]): unknown[] {
  return holders.flatMap((one) =>
    holders
      .filter(
        (other) =>
          one.id < other.id &&
          one.holder !== other.holder &&
          placesOf(one).some((place) => placesOf(other).includes(place)) &&
          one.start_time < other.end_time &&
          other.start_time < one.end_time,
      )
      .map((other) => ({ one, other })),
  )
}

/** It has the seats that it counts, holds its time, and got no more seats than there were. */
function unsoundSession(one: Row, holds: readonly Row[], before: ReadonlyMap<string, number>): unknown[] {
  const { id, seats_taken: taken, really, most } = one
  const isSound =
    taken === really &&
    taken > 0 &&
    (taken <= most || taken <= (before.get(id) ?? 0)) &&
    holds.some(({ holder_id }) => holder_id === id)
  return isSound ? [] : [{ session: one }]
}

/** Time that nobody holds. */
async function unknownHolders(
  organizationId: string,
  holds: readonly Row[],
  sessions: readonly Row[],
): Promise<unknown[]> {
  const alone = await rows(
    `SELECT id FROM bookings WHERE organization_id = ?1 AND status <> 'cancelled' AND session_id IS NULL
     UNION ALL SELECT id FROM slot_holds WHERE organization_id = ?1 AND purpose = 'hold' AND status = 'held' AND session_id IS NULL`,
    organizationId,
  )
  const known = new Set([...alone, ...sessions].map(({ id }) => id))
  return holds.filter(({ holder_id }) => !known.has(holder_id)).map((one) => ({ unknown: one }))
}
