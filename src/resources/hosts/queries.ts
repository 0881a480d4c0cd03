import { and, asc, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import { refuseWhen } from '../../db/refusals.ts'
import { holds } from '../../db/schema/bookings.ts'
import { eventTypes } from '../../db/schema/event-types.ts'
import { eventTypeHosts } from '../../db/schema/hosts.ts'
import { members } from '../../db/schema/organizations.ts'

export type HostRow = typeof eventTypeHosts.$inferSelect

/** Whether a calendar of the member is connected in the mode. */
function hasCalendar(memberId: SQL, isTest: SQL) {
  return sql<boolean>`EXISTS (SELECT 1 FROM calendar_connections c
    WHERE c.member_id = ${memberId} AND c.is_test = ${isTest})`.mapWith(Boolean)
}

export function selectHosts(db: Db, eventTypeId: string) {
  const isTest = sql`(SELECT is_test FROM event_types WHERE id = ${eventTypeId})`
  return db
    .select({
      ...getTableColumns(eventTypeHosts),
      memberEmail: members.userEmail,
      hasCalendar: hasCalendar(sql`event_type_hosts.member_id`, isTest),
    })
    .from(eventTypeHosts)
    .innerJoin(members, eq(members.id, eventTypeHosts.memberId))
    .where(eq(eventTypeHosts.eventTypeId, eventTypeId))
    .orderBy(asc(eventTypeHosts.priority), asc(eventTypeHosts.createdAt), asc(eventTypeHosts.id))
}

/** By the host's own id or by the member's. */
export async function findHost(db: Db, eventTypeId: string, id: string): Promise<HostRow | null> {
  const isMeant = or(eq(eventTypeHosts.id, id), eq(eventTypeHosts.memberId, id))
  const [row] = await db
    .select()
    .from(eventTypeHosts)
    .where(and(eq(eventTypeHosts.eventTypeId, eventTypeId), isMeant))
  return row ?? null
}

export function selectMember(db: Db, { organizationId, isTest }: Tenant, memberId: string) {
  return db
    .select({
      memberId: members.id,
      userId: members.userId,
      userEmail: members.userEmail,
      hasCalendar: hasCalendar(sql`members.id`, sql`${isTest ? 1 : 0}`),
    })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.id, memberId)))
}

/** Adds a host who is still a member at the moment of the commit. */
export function insertHost(db: Db, row: HostRow): Statement[] {
  const isGone = sql`NOT EXISTS (SELECT 1 FROM members WHERE id = ${row.memberId})`
  return [refuseWhen(db, 'STALE', isGone), db.insert(eventTypeHosts).values(row)]
}

export function deleteHost(db: Db, id: string): Statement {
  return db.delete(eventTypeHosts).where(eq(eventTypeHosts.id, id))
}

/** No hold is longer. */
const MAX_HOLD_MS = 12 * 3_600_000

/**
 * Before hosts leave: their event types keep the time of what they were given there, under a name of its own, since
 * the members' holds decide nothing there from now on.
 */
export function keepHoldsOf(
  db: Db,
  leaving: { readonly hostId: string } | { readonly memberId: string },
  now: number,
): Statement {
  const isLeaving =
    'hostId' in leaving ? sql`host.id = ${leaving.hostId}` : sql`host.member_id = ${leaving.memberId}`
  const kept = sql`SELECT host.event_type_id || '/' || host.resource_id, hold.starts_at, hold.ends_at, hold.holder_id
    FROM event_type_hosts host
    JOIN event_types type ON type.id = host.event_type_id
    JOIN holds hold ON hold.resource_id = host.resource_id
    WHERE ${isLeaving} AND hold.starts_at > CASE WHEN type.is_test THEN 0 ELSE ${now - MAX_HOLD_MS} END
      AND (EXISTS (SELECT 1 FROM bookings b WHERE b.id = hold.holder_id AND b.event_type_id = type.id)
        OR EXISTS (SELECT 1 FROM sessions s WHERE s.id = hold.holder_id AND s.event_type_id = type.id))
      AND NOT EXISTS (SELECT 1 FROM holds known WHERE known.starts_at = hold.starts_at
        AND known.resource_id = host.event_type_id || '/' || host.resource_id)`
  return db.insert(holds).select(kept)
}

/** The event types change with their hosts: a booking that was decided with the member is decided again. */
export function touchHostedBy(db: Db, memberId: string): Statement {
  const theirs = db
    .select({ id: eventTypeHosts.eventTypeId })
    .from(eventTypeHosts)
    .where(eq(eventTypeHosts.memberId, memberId))
  return db
    .update(eventTypes)
    .set({ updatedAt: sql`${eventTypes.updatedAt} + 1` })
    .where(inArray(eventTypes.id, theirs))
}

export function deleteHostsOfMember(db: Db, memberId: string): Statement {
  return db.delete(eventTypeHosts).where(eq(eventTypeHosts.memberId, memberId))
}
