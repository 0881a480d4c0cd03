import { and, asc, eq, getTableColumns, isNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { guardMember } from '../../platform/db/guard-member.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { eventTypeHosts } from '../../platform/db/schema/hosts.ts'
import { members } from '../../platform/db/schema/organizations.ts'

export type HostRow = typeof eventTypeHosts.$inferSelect

/** Whether the member has a calendar connected in the mode. */
function hasCalendar(memberId: SQL, isTest: SQL) {
  return sql<boolean>`EXISTS (SELECT 1 FROM calendar_connections c
    WHERE c.member_id = ${memberId} AND c.is_test = ${isTest})`.mapWith(Boolean)
}

export function selectHosts(db: Db, eventTypeId: string) {
  return selectShown(db, eventTypeId, undefined)
}

/** By the host's id or the member's. */
export function selectShownHost(db: Db, eventTypeId: string, id: string) {
  return selectShown(db, eventTypeId, isMeant(id))
}

function selectShown(db: Db, eventTypeId: string, which: SQL | undefined) {
  const ofEventType = (column: string) =>
    sql`(SELECT ${sql.raw(column)} FROM event_types WHERE id = ${eventTypeId})`
  const isTest = ofEventType('is_test')
  const { totalBookings, lastBookingAt } = eventTypeHosts
  return db
    .select({
      ...getTableColumns(eventTypeHosts),
      totalBookings: sql<number>`${totalBookings} + ${ofEventType('collective_bookings')}`,
      lastBookingAt: sql<number | null>`nullif(max(coalesce(${lastBookingAt}, 0),
        coalesce(${ofEventType('collective_booked_at')}, 0)), 0)`,
      memberEmail: members.userEmail,
      name: members.name,
      hasCalendar: hasCalendar(sql`event_type_hosts.member_id`, isTest),
    })
    .from(eventTypeHosts)
    .innerJoin(members, eq(members.id, eventTypeHosts.memberId))
    .where(and(eq(eventTypeHosts.eventTypeId, eventTypeId), which))
    .orderBy(asc(eventTypeHosts.priority), asc(eventTypeHosts.createdAt), asc(eventTypeHosts.id))
}

export function selectHost(db: Db, eventTypeId: string, id: string) {
  return db
    .select()
    .from(eventTypeHosts)
    .where(and(eq(eventTypeHosts.eventTypeId, eventTypeId), isMeant(id)))
}

/** The first event types that can be booked without a host. */
export function selectUnhosted(db: Db, { organizationId, isTest }: Tenant, limit: number) {
  const isHosted = sql`EXISTS (SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = event_types.id)`
  return db
    .select({ id: eventTypes.id, title: eventTypes.title })
    .from(eventTypes)
    .where(
      and(
        eq(eventTypes.organizationId, organizationId),
        eq(eventTypes.isTest, isTest),
        eq(eventTypes.active, true),
        isNull(eventTypes.deletedAt),
        eq(eventTypes.assignmentStrategy, 'none'),
        eq(eventTypes.hoursFrom, 'own'),
        not(isHosted),
      ),
    )
    .orderBy(asc(eventTypes.id))
    .limit(limit)
}

function isMeant(id: string) {
  return or(eq(eventTypeHosts.id, id), eq(eventTypeHosts.memberId, id))
}

export function selectMember(db: Db, { organizationId, isTest }: Tenant, memberId: string) {
  return db
    .select({
      memberId: members.id,
      userId: members.userId,
      userEmail: members.userEmail,
      name: members.name,
      hasCalendar: hasCalendar(sql`members.id`, sql`${isTest ? 1 : 0}`),
    })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.id, memberId)))
}

/** Adds a host who is still a member at the commit. */
export function insertHost(db: Db, row: HostRow): Statement[] {
  return [guardMember(db, row.memberId), db.insert(eventTypeHosts).values(row)]
}

/** Changes a host who still exists at the commit. */
export function changeHost(
  db: Db,
  id: string,
  changes: Partial<Pick<HostRow, 'priority' | 'weight' | 'part' | 'scheduleId'>>,
): Statement[] {
  return [
    refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM event_type_hosts WHERE id = ${id})`),
    db.update(eventTypeHosts).set(changes).where(eq(eventTypeHosts.id, id)),
  ]
}

export function deleteHost(db: Db, id: string): Statement {
  return db.delete(eventTypeHosts).where(eq(eventTypeHosts.id, id))
}
