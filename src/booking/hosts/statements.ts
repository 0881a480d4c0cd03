import { eq, inArray, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import { resourceIdOf } from '../../core/resource-id.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { MAY_BE_CO_HOST } from '../../platform/db/co-hosts.ts'
import { newId } from '../../platform/db/ids.ts'
import { holds } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { eventTypeHosts, formerHosts } from '../../platform/db/schema/hosts.ts'
import type { AskedMs, RealMs } from '../../platform/limits/clock.ts'
import { unhostSessionsOf } from '../bookings/departed-hosts/statements.ts'
import { insertFreedByLeaving } from '../waitlist/statements.ts'
import { insertHost } from './queries.ts'

/**
 * Before hosts leave: the event type keeps the time of their bookings there, because the members' own holds no longer count
 * for it.
 */
export function keepHoldsOf(
  db: Db,
  leaving: { readonly hostId: string } | { readonly memberId: string },
  now: AskedMs,
): Statement {
  const isLeaving =
    'hostId' in leaving ? sql`host.id = ${leaving.hostId}` : sql`host.member_id = ${leaving.memberId}`
  const kept = sql`SELECT hold.resource_id, hold.starts_at, hold.ends_at, hold.holder_id, host.event_type_id,
      hold.meets_at, hold.expires_at
    FROM event_type_hosts host
    JOIN event_types type ON type.id = host.event_type_id
    JOIN holds hold ON hold.resource_id = host.resource_id
    WHERE ${isLeaving} AND hold.kept_by = '' AND hold.starts_at > CASE WHEN type.is_test THEN 0 ELSE ${now - MAX_HOLD_MS} END
      AND (EXISTS (SELECT 1 FROM bookings b WHERE b.id = hold.holder_id AND b.event_type_id = type.id)
        OR EXISTS (SELECT 1 FROM sessions s WHERE s.id = hold.holder_id AND s.event_type_id = type.id)
        OR EXISTS (SELECT 1 FROM slot_holds w WHERE w.id = hold.holder_id AND w.event_type_id = type.id))
      AND NOT EXISTS (SELECT 1 FROM holds known WHERE known.resource_id = hold.resource_id
        AND known.kept_by = host.event_type_id AND known.starts_at = hold.starts_at)`
  return db.insert(holds).select(kept)
}

/** Before a host leaves an event type whose bookings may have several: lists of their bookings still find these. */
export function rememberHost(db: Db, hostId: string): Statement {
  const former = sql`SELECT h.event_type_id, h.member_id FROM event_type_hosts h
    JOIN event_types e ON e.id = h.event_type_id AND ${MAY_BE_CO_HOST} WHERE h.id = ${hostId}`
  return db.insert(formerHosts).select(former).onConflictDoNothing()
}

/** For the batch that removes a member: they host nothing any more. Their bookings stay theirs. */
export function dropHostsOf(
  db: Db,
  { id: memberId, organizationId }: { readonly id: string; readonly organizationId: string },
  now: RealMs,
): Statement[] {
  return [
    keepHoldsOf(db, { memberId }, now),
    ...unhostSessionsOf(db, { memberId, organizationId }, now),
    insertFreedByLeaving(db, memberId),
    touchHostedBy(db, memberId, now),
    deleteHostsOfMember(db, memberId),
  ]
}

/** The event types change with their hosts, so a concurrent decision with the member is made again. */
function touchHostedBy(db: Db, memberId: string, now: RealMs): Statement {
  const theirs = db
    .select({ id: eventTypeHosts.eventTypeId })
    .from(eventTypeHosts)
    .where(eq(eventTypeHosts.memberId, memberId))
  return db
    .update(eventTypes)
    .set({ updatedAt: sql`max(${now}, ${eventTypes.updatedAt} + 1)` })
    .where(inArray(eventTypes.id, theirs))
}

function deleteHostsOfMember(db: Db, memberId: string): Statement {
  return db.delete(eventTypeHosts).where(eq(eventTypeHosts.memberId, memberId))
}

type NewHost = {
  readonly memberId: string
  readonly scheduleId: string | null
  readonly part: 'pool' | 'required'
}

/** The hosts of a new event type, who are still members at the commit. */
export function insertNewHosts(
  db: Db,
  { isTest }: Tenant,
  eventTypeId: string,
  hosts: readonly NewHost[],
  now: AskedMs,
): Statement[] {
  return hosts.flatMap(({ memberId, scheduleId, part }, at) =>
    insertHost(db, {
      id: newId(eventTypeId),
      eventTypeId,
      memberId,
      resourceId: resourceIdOf(memberId, isTest),
      priority: at,
      weight: 1,
      part,
      scheduleId,
      totalBookings: 0,
      lastBookingAt: null,
      lastAssignment: 0,
      createdAt: now,
    }),
  )
}
