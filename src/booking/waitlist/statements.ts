import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Interval } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import type { FreedRow } from '../../platform/db/schema/waitlist.ts'
import { freedTimes, waitlistEntries } from '../../platform/db/schema/waitlist.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'

function insertWhole(db: Db, source: string, isConcerned: SQL): Statement {
  const rows = sql`SELECT NULL, id, ${source}, 0, ${LAST_INSTANT} FROM event_types WHERE ${isConcerned}
    AND EXISTS (SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = event_types.id AND w.status = 'waiting')`
  return db.insert(freedTimes).select(rows)
}

/** Any time of the event type may be free from now on. */
export function insertFreedWhole(db: Db, eventTypeId: string, source: string): Statement {
  return insertWhole(db, source, sql`id = ${eventTypeId}`)
}

/** The same for a member of event types that need certain hosts: without the member, others may be enough. */
export function insertFreedByLeaving(db: Db, memberId: string): Statement {
  const hasRequired = sql`EXISTS (SELECT 1 FROM event_type_hosts one WHERE one.event_type_id = event_types.id AND one.part = 'required')`
  const isTheirs = sql`(assignment_strategy = 'none' OR ${hasRequired})
    AND id IN (SELECT event_type_id FROM event_type_hosts WHERE member_id = ${memberId})`
  return insertWhole(db, memberId, isTheirs)
}

/** The event types with a waitlist that these calendars are checked for. `connections` is a query for their ids. */
function concernedBy(connections: SQL): SQL {
  const isWaitedFor = (eventType: string) =>
    sql.raw(
      `EXISTS (SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = ${eventType} AND w.status = 'waiting')`,
    )
  return sql`(SELECT concerned.event_type_id, concerned.calendar_id FROM event_type_calendars concerned
      WHERE concerned.calendar_id IN ${connections} AND ${isWaitedFor('concerned.event_type_id')}
    UNION ALL SELECT required.event_type_id, feed.id FROM calendar_connections feed
      CROSS JOIN event_type_rooms required ON required.resource_id = feed.resource_id
      WHERE feed.id IN ${connections} AND ${isWaitedFor('required.event_type_id')}
    UNION ALL SELECT type.id, closing.id FROM calendar_connections closing INDEXED BY calendar_connections_closing
      CROSS JOIN event_types type ON type.organization_id = closing.organization_id AND type.is_test = closing.is_test
      WHERE closing.everybody AND closing.id IN ${connections} AND type.deleted_at IS NULL AND ${isWaitedFor('type.id')})`
}

/**
 * The time that calendars block, before that changes, for each event type that checks them and has a waitlist.
 * `connections` is a query for their ids; `isOver` says which of `busy` ends; null for all.
 */
export function insertFreedByCalendars(
  db: Db,
  connections: SQL,
  isOver: SQL | null,
  source: SQL = sql`busy.connection_id`,
): Statement {
  return db.insert(freedTimes).select(
    sql`SELECT NULL, concerned.event_type_id, ${source}, busy.starts_at, busy.ends_at
    FROM ${concernedBy(connections)} concerned
    JOIN calendar_busy_times busy ON busy.connection_id = concerned.calendar_id
    WHERE ${isOver ?? sql`true`}`,
  )
}

/** The time that bookings hold of calendars, before these are no longer checked: it becomes free for other bookings. */
function insertFreedByLosing(db: Db, connections: SQL): Statement {
  return db.insert(freedTimes).select(
    sql`SELECT NULL, concerned.event_type_id, hold.resource_id, hold.starts_at, hold.ends_at
    FROM ${concernedBy(connections)} concerned JOIN event_types type ON type.id = concerned.event_type_id
    JOIN holds hold ON hold.resource_id = concerned.calendar_id
      AND hold.starts_at > CASE WHEN type.is_test THEN 0 ELSE ${Date.now() - MAX_HOLD_MS} END`,
  )
}

/** All time of event types that lost calendars close, before they are open again. */
export function insertFreedByReopening(db: Db, connections: SQL): Statement {
  return db.insert(freedTimes).select(
    sql`SELECT NULL, concerned.event_type_id, concerned.calendar_id, 0, ${LAST_INSTANT}
    FROM ${concernedBy(connections)} concerned JOIN event_types type ON type.id = concerned.event_type_id
    JOIN calendar_connections lost ON lost.id = concerned.calendar_id
    WHERE type.calendar_outage = 'closed' AND lost.lost_at IS NOT NULL AND lost.checks_busy`,
  )
}

/**
 * All time that calendars block, before they are no longer checked. If another calendar blocks it too, it is not open
 * later.
 */
export function insertFreedByGoing(db: Db, connections: SQL): readonly Statement[] {
  return [
    insertFreedByCalendars(db, connections, null),
    insertFreedByLosing(db, connections),
    insertFreedByReopening(db, connections),
  ]
}

/** Removes released time that a calendar still blocks, or blocks again. */
export function deleteFreedStillBusy(db: Db, connectionId: string): Statement {
  return db.delete(freedTimes).where(
    and(
      eq(freedTimes.source, connectionId),
      sql`EXISTS (SELECT 1 FROM calendar_busy_times busy JOIN calendar_connections calendar
          ON calendar.id = busy.connection_id AND calendar.checks_busy WHERE busy.connection_id = ${connectionId}
        AND busy.starts_at = ${freedTimes.startsAt} AND busy.ends_at = ${freedTimes.endsAt})`,
    ),
  )
}

export function insertFreed(
  db: Db,
  eventTypeId: string,
  source: string,
  time: readonly Interval[],
): Statement {
  return db
    .insert(freedTimes)
    .select(sql`SELECT NULL, ${eventTypeId}, ${source}, value ->> 'start', value ->> 'end'
    FROM json_each(${JSON.stringify(time)})`)
}

export function deleteFreed(db: Db, rows: readonly FreedRow[]): Statement {
  const ids = JSON.stringify(rows.map(({ id }) => id))
  return db.delete(freedTimes).where(sql`${freedTimes.id} IN (SELECT value FROM json_each(${ids}))`)
}

export function deleteFreedBy(db: Db, eventTypeId: string, sources: readonly string[]): Statement {
  return db
    .delete(freedTimes)
    .where(and(eq(freedTimes.eventTypeId, eventTypeId), inArray(freedTimes.source, sources)))
}

/**
 * For the batch that removes time offered to `known`: refused if others wait by now. An abandoned batch, or one of an
 * object that died, may still be carried out after those of the next turn.
 */
export function guardWaitlist(
  db: Db,
  eventTypeId: string,
  known: readonly { readonly id: string }[],
): Statement {
  const ids = JSON.stringify(known.map(({ id }) => id))
  const isLonger = sql`EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = ${eventTypeId} AND status = 'waiting'
    AND id NOT IN (SELECT value FROM json_each(${ids})))`
  return refuseWhen(db, 'STALE', isLonger)
}

export function deleteFreedOf(db: Db, eventTypeId: string): Statement {
  return db.delete(freedTimes).where(eq(freedTimes.eventTypeId, eventTypeId))
}

/** For the batch that deletes an event type: its waitlist ends. */
export function dropEntriesOf(db: Db, eventTypeId: string, now: AskedMs): Statement[] {
  const isWaiting = and(eq(waitlistEntries.eventTypeId, eventTypeId), eq(waitlistEntries.status, 'waiting'))
  return [
    db.update(waitlistEntries).set({ status: 'cancelled', updatedAt: now }).where(isWaiting),
    deleteFreedOf(db, eventTypeId),
  ]
}
