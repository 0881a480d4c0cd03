import { and, eq, sql } from 'drizzle-orm'
import { givenUpBy } from '../../engine/schedule/given-up.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import { unitsOrNull } from '../../engine/schedule/resources/rooms.ts'
import type { Session } from '../../engine/schedule/schedule.ts'
import { coHostsOrNull } from '../../engine/schedule/team.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { isAddress } from '../../platform/db/email-spellings.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { type BookingRow, bookings, sessions } from '../../platform/db/schema/bookings.ts'
import { slotHolds } from '../../platform/db/schema/slot-holds.ts'
import { freedTimes } from '../../platform/db/schema/waitlist.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'

/** Refuses the batch if the session began elsewhere by then, or if its bookings or seats are others. */
export function guardSession(
  db: Db,
  { id, startTime, seatsTaken }: Session,
  read: readonly Pick<BookingRow, 'id' | 'revision'>[],
): Statement {
  const rows = JSON.stringify(read.map((row) => [row.id, row.revision]))
  const isSame = sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${id} AND start_time = ${startTime} AND seats_taken = ${seatsTaken})
    AND (SELECT count(*) FROM bookings WHERE session_id = ${id} AND status <> 'cancelled') = ${read.length}
    AND NOT EXISTS (SELECT 1 FROM json_each(${rows}) one WHERE NOT EXISTS (
      SELECT 1 FROM bookings WHERE id = one.value ->> 0 AND revision = one.value ->> 1))`
  return refuseWhen(db, 'STALE', sql`NOT (${isSame})`)
}

export type Changed = { readonly read: BookingRow; readonly changes: Partial<BookingRow> }

/** Changes bookings that were read: by one statement for all that change alike. */
export function changeBookings(db: Db, changed: readonly Changed[]): Statement[] {
  const alike = Map.groupBy(changed, ({ changes }) => JSON.stringify(changes))
  return [...alike.values()].map((rows) => {
    const ids = JSON.stringify(rows.map(({ read }) => read.id))
    return db
      .update(bookings)
      .set({ ...rows[0]!.changes, revision: sql`${bookings.revision} + 1` })
      .where(sql`${bookings.id} IN (SELECT value FROM json_each(${ids}))`)
  })
}

export function moveSession(db: Db, id: string, placement: Placement): Statement {
  const { start, end, host, coHosts, units, calendarConnectionId } = placement
  return db
    .update(sessions)
    .set({
      startTime: start,
      endTime: end,
      assignedHost: host,
      coHosts: coHostsOrNull(coHosts),
      calendarConnectionId,
      resources: unitsOrNull(units),
    })
    .where(eq(sessions.id, id))
}

/**
 * Moves what is held of a session and what its bookings wait for. Nothing waits past the new start, except a payment, which
 * has its own deadline. Setting the deadline also advances the version of the schedule.
 */
export function moveHeld(
  db: Db,
  sessionId: string,
  { start, end, host, coHosts, units, calendarConnectionId }: Placement,
  creditedIds: readonly string[] | null,
  now: PresentMs,
): Statement {
  return db
    .update(slotHolds)
    .set({
      startTime: start,
      endTime: end,
      assignedHostId: host?.member_id ?? null,
      assignedHost: host,
      coHosts: coHostsOrNull(coHosts),
      calendarConnectionId,
      resources: unitsOrNull(units),
      ...(creditedIds !== null && {
        creditedIds: sql`CASE json_array_length(${slotHolds.creditedIds}) WHEN 0 THEN '[]' ELSE ${JSON.stringify(creditedIds)} END`,
      }),
      expiresAt: sql`CASE ${slotHolds.purpose} WHEN 'payment' THEN ${slotHolds.expiresAt} ELSE min(${slotHolds.expiresAt}, ${start}) END`,
      updatedAt: now,
    })
    .where(and(eq(slotHolds.sessionId, sessionId), sql`${slotHolds.status} = 'held'`))
}

/** Releases what is held of a session. Triggers give the seats back. */
export function releaseHeld(db: Db, sessionId: string, now: PresentMs): Statement {
  return db
    .update(slotHolds)
    .set({ status: 'released', updatedAt: now })
    .where(
      and(
        eq(slotHolds.sessionId, sessionId),
        eq(slotHolds.purpose, 'hold'),
        sql`${slotHolds.status} = 'held'`,
      ),
    )
}

/** After the time was released: marks it as given up by the session. */
export function markGivenUp(db: Db, { id, eventTypeId, startTime }: Session): Statement {
  return db
    .update(freedTimes)
    .set({ source: givenUpBy(id, startTime) })
    .where(and(eq(freedTimes.eventTypeId, eventTypeId), eq(freedTimes.source, id)))
}

/** Any time, if one of the invitees waits for another booking; for the batch that cancels them while bookings are limited. */
export function insertFreedForInvitees(
  db: Db,
  { id, eventTypeId }: Session,
  emails: readonly string[],
): Statement[] {
  if (emails.length === 0) return []
  const isTheirs = isAddress(sql`lower(w.invitee_email)`, ...emails)
  return [
    db.insert(freedTimes).select(
      sql`SELECT NULL, ${eventTypeId}, ${`limit/${id}`}, 0, 8640000000000000 WHERE EXISTS (
        SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = ${eventTypeId} AND w.status = 'waiting' AND ${isTheirs})`,
    ),
  ]
}
