import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { insertEach } from '../../platform/db/insert-each.ts'
import { type At, builtOnce, insertOnce, preparedStatement } from '../../platform/db/prepared.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { bookings, holds, sessions } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { bookingEmails } from '../../platform/db/schema/mail.ts'
import { series } from '../../platform/db/schema/series.ts'
import { slotHolds } from '../../platform/db/schema/slot-holds.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { callForChanged, callForLinked, callForOpened, forgetTestCalls } from './follow-ups/statements.ts'

export const insertBooking = insertOnce(bookings)
export const insertBookings = insertEach(bookings)

const guardRevision = builtOnce((db, at: At<Pick<BookingRow, 'id' | 'revision'>>) =>
  refuseWhen(
    db,
    'STALE',
    sql`NOT EXISTS (SELECT 1 FROM bookings WHERE id = ${at.id} AND revision = ${at.revision})`,
  ),
)

/** Changes a booking if it is still as it was read, and enqueues what follows outside; otherwise the batch is refused. */
export function updateBookingAsRead(db: Db, read: BookingRow, changes: Partial<BookingRow>): Statement[] {
  const { id, revision } = read
  return [
    guardRevision(db, { id, revision }),
    db
      .update(bookings)
      .set({ ...changes, revision: revision + 1 })
      .where(eq(bookings.id, id)),
    ...callForChanged(db, read, changes),
  ]
}

/** The same in a batch that has guarded the revision, and that advances it and enqueues what follows itself. */
export function changeBooking(db: Db, id: string, changes: Partial<BookingRow>): Statement {
  return db.update(bookings).set(changes).where(eq(bookings.id, id))
}

type Held = {
  readonly holderId: string
  readonly resourceIds: string
  readonly start: number
  readonly end: number
  readonly meetsAt: number
  readonly expiresAt: number | null
}

const insertHolds = builtOnce((db, at: At<Held>) =>
  db
    .insert(holds)
    .select(
      sql`SELECT value, ${at.start}, ${at.end}, ${at.holderId}, '', ${at.meetsAt}, ${at.expiresAt} FROM json_each(${at.resourceIds})`,
    ),
)

/**
 * Takes the hold of every resource, until a deadline or until it is released. A trigger refuses the batch if one of them is
 * taken.
 */
export function takeHold(
  db: Db,
  holderId: string,
  { resourceIds, hold, start }: Pick<Placement, 'resourceIds' | 'hold' | 'start'>,
  expiresAt: number | null = null,
): Statement[] {
  if (resourceIds.length === 0) return []
  const held = { holderId, resourceIds: JSON.stringify(resourceIds), ...hold, meetsAt: start, expiresAt }
  return [insertHolds(db, held)]
}

const insertHoldRows = preparedStatement<readonly [rows: string]>(
  `INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, kept_by, meets_at)
   SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, '', value ->> 4 FROM json_each(?1)`,
)

/** The same for several holders. */
export function takeHolds(
  db: Db,
  holders: readonly {
    readonly id: string
    readonly placement: Pick<Placement, 'resourceIds' | 'hold' | 'start'>
  }[],
): Statement[] {
  const rows = holders.flatMap(({ id, placement: { resourceIds, hold, start } }) =>
    resourceIds.map((resourceId) => [resourceId, hold.start, hold.end, id, start]),
  )
  return rows.length === 0 ? [] : [insertHoldRows(db, JSON.stringify(rows))]
}

export const insertSession = insertOnce(sessions)
export const insertSessions = insertEach(sessions)

/** The length, the host, the calendar and the units of the only booking in a session. */
export function changeSession(db: Db, row: BookingRow): Statement[] {
  const { endTime, assignedHost, coHosts, calendarConnectionId, resources } = row
  return [
    db
      .update(sessions)
      .set({ endTime, assignedHost, coHosts, calendarConnectionId, resources })
      .where(eq(sessions.id, row.sessionId!)),
  ]
}

/** A session that others share may have the id of the booking that left it; then the hold has this id, too. */
export function guardOwnName(db: Db, bookingId: string): Statement {
  return refuseWhen(db, 'STALE', sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${bookingId})`)
}

const deleteHoldsOf = builtOnce((db, at: At<{ holderId: string }>) =>
  db.delete(holds).where(eq(holds.holderId, at.holderId)),
)

export function releaseHold(db: Db, holderId: string): Statement {
  return deleteHoldsOf(db, { holderId })
}

const deleteHoldsOfAll = preparedStatement<readonly [holderIds: string]>(
  'DELETE FROM holds WHERE holder_id IN (SELECT value FROM json_each(?1))',
)

/** The same for several holders. */
export function releaseHolds(db: Db, holderIds: readonly string[]): Statement {
  return deleteHoldsOfAll(db, JSON.stringify(holderIds))
}

export function deleteTestBookingsOf(db: Db, eventTypeId: string): Statement[] {
  const isTheirs = and(eq(bookings.eventTypeId, eventTypeId), eq(bookings.isTest, true))
  const theirs = db.select({ id: bookings.id }).from(bookings).where(isTheirs)
  return [
    db.delete(slotHolds).where(and(eq(slotHolds.eventTypeId, eventTypeId), sql`${slotHolds.isTest} = 1`)),
    db.delete(holds).where(inArray(holds.holderId, theirs)),
    db
      .delete(holds)
      .where(
        inArray(
          holds.holderId,
          db.select({ id: sessions.id }).from(sessions).where(eq(sessions.eventTypeId, eventTypeId)),
        ),
      ),
    db.delete(sessions).where(eq(sessions.eventTypeId, eventTypeId)),
    ...forgetTestCalls(db, eventTypeId),
    db.delete(bookingEmails).where(inArray(bookingEmails.bookingId, theirs)),
    db.delete(bookings).where(isTheirs),
    db.delete(series).where(and(eq(series.eventTypeId, eventTypeId), eq(series.isTest, true))),
    db
      .update(eventTypes)
      .set({ activeBookings: 0 })
      .where(and(eq(eventTypes.id, eventTypeId), eq(eventTypes.isTest, true))),
  ]
}

/** Refuses the batch if one of them is not as it was read. */
export function guardRevisions(db: Db, read: readonly Pick<BookingRow, 'id' | 'revision'>[]): Statement {
  const rows = JSON.stringify(read.map(({ id, revision }) => [id, revision]))
  const isOther = sql`EXISTS (SELECT 1 FROM json_each(${rows}) one WHERE NOT EXISTS (
    SELECT 1 FROM bookings WHERE id = one.value ->> 0 AND revision = one.value ->> 1))`
  return refuseWhen(db, 'STALE', isOther)
}

/** Their calendar event is written nowhere for it, so their revision stays. */
export function showDrag(
  db: Db,
  ids: readonly string[],
  shown: Pick<BookingRow, 'outOfSync' | 'syncError'>,
): Statement {
  return db
    .update(bookings)
    .set(shown)
    .where(sql`${bookings.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}

/** Shows no more where the event of a booking or a session was. */
export function showRestored(db: Db, holderId: string): Statement {
  return db
    .update(bookings)
    .set({ outOfSync: null, syncError: null })
    .where(or(eq(bookings.id, holderId), eq(bookings.sessionId, holderId)))
}

export function linkBookings(db: Db, ids: readonly string[], url: string, now: AskedMs): Statement[] {
  return [
    db
      .update(bookings)
      .set({ conferencingUrl: url, revision: sql`${bookings.revision} + 1`, updatedAt: now })
      .where(sql`${bookings.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    callForLinked(db, ids, url),
  ]
}

/**
 * For the batch that gives an event type its second seat: each booking becomes a session with the booking's id and hold,
 * which others can join. Of several bookings at one start, with a host each, the first does; the others stay separate
 * meetings. Expired bookings hold nothing.
 */
export function shareBookings(db: Db, eventTypeId: string, now: AskedMs): Statement[] {
  const holdsTime = (id: string) => sql`EXISTS (SELECT 1 FROM holds WHERE holder_id = ${sql.raw(id)})`
  const isFirst = sql`event_type_id = ${eventTypeId} AND session_id IS NULL AND status <> 'cancelled'
    AND start_time > ${now - MAX_HOLD_MS} AND end_time > ${now} AND ${holdsTime('bookings.id')}
    AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.event_type_id = ${eventTypeId} AND s.start_time = bookings.start_time)
    AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.event_type_id = ${eventTypeId} AND b.start_time = bookings.start_time
      AND b.session_id IS NULL AND b.status <> 'cancelled' AND b.id < bookings.id AND ${holdsTime('b.id')})`
  // Its calendar may have been removed, and its host may have left.
  const calendar = sql`(SELECT c.id FROM calendar_connections c WHERE c.id = bookings.calendar_connection_id)`
  const host = sql`CASE WHEN EXISTS (SELECT 1 FROM members m WHERE m.id = bookings.assigned_host_id) THEN assigned_host END`
  const rows = sql`SELECT id, event_type_id, start_time, end_time, 0, ${host}, co_hosts, ${calendar}, resources, ${now} FROM bookings WHERE ${isFirst}`
  const isItsOwn = sql`event_type_id = ${eventTypeId} AND session_id IS NULL AND status <> 'cancelled'
    AND start_time > ${now - MAX_HOLD_MS} AND end_time > ${now} AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = bookings.id)`
  return [
    db.insert(sessions).select(rows),
    db.update(bookings).set({ sessionId: sql`id` }).where(isItsOwn),
    shareWaiting(db, eventTypeId),
    ...callForOpened(db, eventTypeId, now),
  ]
}

/** Waiting bookings wait in their session: triggers give the session's hold the deadline. */
function shareWaiting(db: Db, eventTypeId: string): Statement {
  const isShared = sql`EXISTS (SELECT 1 FROM bookings b WHERE b.id = ${slotHolds.bookingId} AND b.session_id = b.id)`
  return db
    .update(slotHolds)
    .set({ sessionId: sql`booking_id`, expiresAt: sql`expires_at` })
    .where(
      and(
        eq(slotHolds.eventTypeId, eventTypeId),
        sql`${slotHolds.status} = 'held' AND ${slotHolds.purpose} <> 'hold' AND ${slotHolds.sessionId} IS NULL`,
        isShared,
      ),
    )
}
