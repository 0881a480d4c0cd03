import { and, eq, ne, sql } from 'drizzle-orm'
import type { Placement } from '../../../engine/schedule/placement.ts'
import { coHostsOrNull } from '../../../engine/schedule/team.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { type BookingRow, bookings, holds, sessions } from '../../../platform/db/schema/bookings.ts'
import { eventTypeHosts } from '../../../platform/db/schema/hosts.ts'
import { slotHolds } from '../../../platform/db/schema/slot-holds.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { callForSession } from '../follow-ups/statements.ts'
import { guardRevisions } from '../statements.ts'

/**
 * Gives the time of a meeting to its new hosts: with its buffers and its deadline as they are. It keeps its units. A trigger refuses the batch
 * if one of them is taken.
 */
export function handOverTime(db: Db, holderId: string, { resourceIds, hold, start }: Placement): Statement[] {
  const wanted = JSON.stringify(resourceIds)
  const isTheirs = sql`holder_id = ${holderId}`
  const theirs = (column: string) => sql`(SELECT ${sql.raw(column)} FROM holds WHERE ${isTheirs} LIMIT 1)`
  return [
    db.insert(holds).select(
      sql`SELECT value, coalesce(${theirs('starts_at')}, ${hold.start}), coalesce(${theirs('ends_at')}, ${hold.end}),
          ${holderId}, '', coalesce(${theirs('meets_at')}, ${start}), ${theirs('expires_at')}
        FROM json_each(${wanted})
        WHERE value NOT IN (SELECT resource_id FROM holds WHERE ${isTheirs} AND kept_by = '')`,
    ),
    db.delete(holds).where(
      sql`${isTheirs} AND substr(resource_id, 37, 1) <> '#'
          AND (kept_by <> '' OR resource_id NOT IN (SELECT value FROM json_each(${wanted})))`,
    ),
  ]
}

/**
 * Gives a session, what is held of it and all its bookings, which must be as they were read, these changes. `links` are those of
 * each booking.
 */
export function handOverSession(
  db: Db,
  sessionId: string,
  read: readonly BookingRow[],
  { acts, conferencingUrl: _, ...changes }: Partial<BookingRow>,
  links: ReadonlyMap<string, string | null>,
): Statement[] {
  const { assignedHost, coHosts, calendarConnectionId } = changes
  return [
    guardRevisions(db, read),
    db
      .update(sessions)
      .set({ assignedHost, coHosts, calendarConnectionId })
      .where(eq(sessions.id, sessionId)),
    db
      .update(bookings)
      .set({
        ...changes,
        conferencingUrl: sql`(SELECT value ->> 1 FROM json_each(${JSON.stringify([...links])}) WHERE value ->> 0 = ${bookings.id})`,
        acts: sql`json_set(coalesce(${bookings.acts}, '{}'), '$.reassigned', json(${JSON.stringify(acts?.reassigned ?? null)}))`,
        revision: sql`${bookings.revision} + 1`,
      })
      .where(and(eq(bookings.sessionId, sessionId), ne(bookings.status, 'cancelled'))),
    ...callForSession(db, sessionId),
  ]
}

type Given = { readonly fromId: string | null; readonly toId: string }

/** What waits in the meeting, or is held of it, is the new host's, too. */
export function handOverWaits(
  db: Db,
  { id, sessionId }: Pick<BookingRow, 'id' | 'sessionId'>,
  { host, coHosts, calendarConnectionId }: Placement,
  { fromId, toId }: Given,
  now: PresentMs,
): Statement {
  const isOfMeeting = sessionId === null ? eq(slotHolds.bookingId, id) : eq(slotHolds.sessionId, sessionId)
  return db
    .update(slotHolds)
    .set({
      assignedHostId: host?.member_id ?? null,
      assignedHost: host,
      coHosts: coHostsOrNull(coHosts),
      calendarConnectionId,
      creditedIds: sql`replace(${slotHolds.creditedIds}, ${fromId ?? toId}, ${toId})`,
      updatedAt: now,
    })
    .where(and(isOfMeeting, eq(slotHolds.status, 'held')))
}

type Credited = Given & {
  readonly eventTypeId: string
  /** How many bookings are handed over, and when the last of them was assigned. */
  readonly bookings: number
  readonly assignedAt: number
  readonly assignment: number
}

/**
 * Counts the bookings for the new host and no longer for the old one, whose turn in the rotation is as if they had not
 * been assigned, if nothing was since then.
 */
export function moveCredits(db: Db, credited: Credited, now: PresentMs): Statement[] {
  const { eventTypeId, fromId, toId, bookings: count, assignedAt, assignment } = credited
  const host = eventTypeHosts
  const isHost = (id: string) => and(eq(host.eventTypeId, eventTypeId), eq(host.memberId, id))
  const counted = db
    .update(host)
    .set({
      totalBookings: sql`${host.totalBookings} + ${count}`,
      lastBookingAt: sql`${now}`,
      lastAssignment: assignment,
    })
    .where(isHost(toId))
  if (fromId === null) return [counted]
  // Ids ascend with time, so each status needs one step of the index.
  const newest = (status: string) => sql`SELECT max(id) AS id FROM bookings
    WHERE assigned_host_id = ${fromId} AND event_type_id = ${eventTypeId} AND status = ${sql.raw(`'${status}'`)}`
  const before = sql`(SELECT created_at FROM bookings WHERE id = (SELECT max(id) FROM (${sql.join(
    ['pending_approval', 'pending_payment', 'confirmed', 'rescheduled'].map(newest),
    sql` UNION ALL `,
  )})))`
  const turn = sql`(SELECT coalesce(max(other.last_assignment), 0) FROM event_type_hosts other
    WHERE other.event_type_id = ${eventTypeId} AND other.member_id <> ${fromId} AND other.last_booking_at <= ${before})`
  const isLatest = sql`${host.lastBookingAt} <= ${assignedAt}`
  const uncounted = db
    .update(host)
    .set({
      totalBookings: sql`max(0, ${host.totalBookings} - ${count})`,
      lastAssignment: sql`CASE WHEN ${isLatest} THEN ${turn} ELSE ${host.lastAssignment} END`,
      lastBookingAt: sql`CASE WHEN ${isLatest} THEN ${before} ELSE ${host.lastBookingAt} END`,
    })
    .where(isHost(fromId))
  return [uncounted, counted]
}
