import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import type { Placement } from '../../../engine/schedule/placement.ts'
import { coHostsOrNull } from '../../../engine/schedule/team.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { coHostsWithout, isCoHost } from '../../../platform/db/co-hosts.ts'
import { guardMember } from '../../../platform/db/guard-member.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import type { AssignedHost } from '../../../platform/db/schema/assigned-host.ts'
import { bookings, sessions } from '../../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { slotHolds } from '../../../platform/db/schema/slot-holds.ts'
import type { AskedMs, PresentMs } from '../../../platform/limits/clock.ts'
import { callForSession } from '../follow-ups/statements.ts'

/** The hosts whose time is held under `holderId` and who are still members. */
function selectStaying(db: Db, holderId: SQL) {
  // The sandbox has resources of its own, whose names begin with the same id.
  const rows = sql`(SELECT m.id, m.user_id, m.user_email, m.name FROM holds held JOIN members m ON m.id = substr(held.resource_id, 1, 36)
    WHERE held.holder_id = ${holderId} AND held.kept_by = '')`
  const host = sql`json_object('member_id', id, 'user_id', user_id, 'email', user_email, 'name', name)`
  return db
    .select({ host: host.mapWith((text: string) => JSON.parse(text) as AssignedHost).as('staying') })
    .from(rows)
}

export function selectStayingOfBooking(db: Db, bookingId: string) {
  return selectStaying(db, sql`(SELECT coalesce(session_id, id) FROM bookings WHERE id = ${bookingId})`)
}

export function selectStayingOfHold(db: Db, holdId: string) {
  return selectStaying(db, sql`(SELECT coalesce(session_id, id) FROM slot_holds WHERE id = ${holdId})`)
}

/** Refuses the batch that assigns a host if they left the organization in the meantime. */
export function guardStays(db: Db, host: AssignedHost | null): Statement[] {
  return host === null ? [] : [guardMember(db, host.member_id)]
}

/**
 * Gives a session whose host left a new host, with all its bookings and holds except `besides`, which the rest of the batch
 * changes.
 */
export function rehostSession(
  db: Db,
  sessionId: string,
  besides: string,
  placement: Pick<Placement, 'host' | 'coHosts' | 'calendarConnectionId'>,
  now: PresentMs,
): Statement[] {
  const isHosted = sql`NOT EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId} AND assigned_host IS NULL)`
  const { host, calendarConnectionId } = placement
  const coHosts = coHostsOrNull(placement.coHosts)
  const theirs = { assignedHostId: host!.member_id, assignedHost: host, coHosts, calendarConnectionId }
  const isOther = and(
    eq(bookings.sessionId, sessionId),
    ne(bookings.status, 'cancelled'),
    ne(bookings.id, besides),
  )
  return [
    refuseWhen(db, 'STALE', isHosted),
    ...guardStays(db, host),
    db
      .update(sessions)
      .set({ assignedHost: host, coHosts, calendarConnectionId })
      .where(eq(sessions.id, sessionId)),
    db
      .update(bookings)
      .set({ ...theirs, needsHost: false, revision: sql`${bookings.revision} + 1`, updatedAt: now })
      .where(isOther),
    db
      .update(slotHolds)
      .set(theirs)
      .where(and(eq(slotHolds.sessionId, sessionId), sql`${slotHolds.status} = 'held'`)),
    ...callForSession(db, sessionId),
  ]
}

/**
 * For the batch that removes a member, after their time was kept: their sessions have no host until the next invitee joins.
 * Concurrent decisions about these event types are made again.
 */
export function unhostSessionsOf(
  db: Db,
  { memberId, organizationId }: { readonly memberId: string; readonly organizationId: string },
  now: AskedMs,
): Statement[] {
  const theirs = (column: 'id' | 'event_type_id') => sql`(SELECT s.${sql.raw(column)}
    FROM event_types e JOIN sessions s ON s.event_type_id = e.id
      AND s.start_time > CASE WHEN e.is_test THEN 0 ELSE ${now - MAX_HOLD_MS} END
    WHERE e.organization_id = ${organizationId}
      AND (s.assigned_host ->> 'member_id' = ${memberId} OR ${isCoHost(sql`s.co_hosts`, sql`${memberId}`)}))`
  return [
    db
      .update(eventTypes)
      .set({ updatedAt: sql`${eventTypes.updatedAt} + 1` })
      .where(sql`${eventTypes.id} IN ${theirs('event_type_id')}`),
    db
      .update(sessions)
      .set({
        assignedHost: sql`CASE WHEN assigned_host ->> 'member_id' IS NOT ${memberId} THEN assigned_host END`,
        coHosts: coHostsWithout(sql`co_hosts`, sql`${memberId}`),
      })
      .where(sql`${sessions.id} IN ${theirs('id')}`),
  ]
}
