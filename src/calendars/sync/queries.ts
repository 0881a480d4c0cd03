import { and, eq, getTableColumns, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { insertFreedByCalendars } from '../../booking/waitlist/statements.ts'
import type { Interval } from '../../core/interval.ts'
import { OWN_MARK } from '../../engine/schedule/own-uids.ts'
import type { Elsewhere } from '../../engine/turn/calendar-checks.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../platform/db/due-page.ts'
import { preparedQuery } from '../../platform/db/prepared.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import {
  type ConnectionRow,
  calendarBusyTimes,
  calendarConnections,
  calendarEvents,
  calendarWrites,
} from '../../platform/db/schema/calendars.ts'
import type { ExternalEvent } from '../client/calendar-client.ts'
import { ELSEWHERE } from './elsewhere-id.ts'

export type Kept = Pick<ConnectionRow, 'id' | 'organizationId'>
export type BlockingEvent = Pick<ExternalEvent, 'id' | 'uid'> & {
  /** What only blocks if the event is ours, for the calendar shows it as free, ends with a 1. */
  readonly pieces: readonly (readonly [start: number, end: number, isFree?: 1])[]
}

export function selectDueConnections(
  db: Db,
  now: number,
  last?: { readonly nextSyncAt: number; readonly id: string },
) {
  const { id, accountId, nextSyncAt } = calendarConnections
  const isNext = comesAfter([nextSyncAt, id], last && [last.nextSyncAt, last.id])
  return db
    .select({ id, accountId, nextSyncAt })
    .from(calendarConnections)
    .where(
      and(
        sql`status IN ('active', 'error')`,
        lte(nextSyncAt, now),
        staysHere(calendarConnections.organizationId),
        isNext,
      ),
    )
    .orderBy(nextSyncAt, id)
    .limit(DUE_A_PAGE)
}

/** A connection with what its sync must know beside it. */
export type SyncRow = ConnectionRow & {
  readonly sandboxNow: number | null
  /** When its provider stops notifying; null without a channel. */
  readonly toldUntil: number | null
}

export function findForSync(db: Db, id: string) {
  const sandboxNow = sql<number | null>`CASE WHEN is_test THEN
    (SELECT o.sandbox_now FROM organizations o WHERE o.id = organization_id) END`
  const toldUntil = sql<
    number | null
  >`(SELECT max(expires_at) FROM calendar_channels WHERE connection_id = calendar_connections.id)`
  return db
    .select({
      ...getTableColumns(calendarConnections),
      sandboxNow: sandboxNow.as('sandbox_now'),
      toldUntil: toldUntil.as('told_until'),
    })
    .from(calendarConnections)
    .where(eq(calendarConnections.id, id))
}

/** Stores how a sync ended; refuses the batch if the connection was removed, connected again or reported as lost since then. */
export function endSync(
  db: Db,
  { id, connectedAt, lostAt }: Pick<ConnectionRow, 'id' | 'connectedAt' | 'lostAt'>,
  changes: Partial<ConnectionRow>,
): [Statement, Statement] {
  const isOther = sql`NOT EXISTS (SELECT 1 FROM calendar_connections
    WHERE id = ${id} AND connected_at = ${connectedAt} AND lost_at IS ${lostAt})`
  return [
    refuseWhen(db, 'STALE', isOther),
    db.update(calendarConnections).set(changes).where(eq(calendarConnections.id, id)),
  ]
}

/**
 * What is known to be in the calendar, etags by id: what it listed, and what was written there within `window` and no listing had
 * yet, whose etag is empty here. Without the latter, an event that its owner deletes before the first listing would never be gone.
 */
export async function listEtags(
  db: Db,
  connectionId: string,
  window: Interval | null,
): Promise<Map<string, string>> {
  const { eventId: id, etag } = calendarEvents
  const listed = db
    .select({ id, etag })
    .from(calendarEvents)
    .where(eq(calendarEvents.connectionId, connectionId))
  const [events, written] = window
    ? await db.batch([listed, selectUnlisted(db, connectionId, window)])
    : [await listed, []]
  return new Map(
    [...events, ...written].flatMap(({ id, etag }) => (etag === null ? [] : [[id, etag] as const])),
  )
}

function selectUnlisted(db: Db, connectionId: string, { start, end }: Interval) {
  const { eventId, uid, writtenStart, writtenEnd } = calendarWrites
  return db
    .select({ id: sql<string>`${eventId}`.as('id'), etag: sql<string>`''`.as('etag') })
    .from(calendarWrites)
    .where(
      and(
        eq(calendarWrites.connectionId, connectionId),
        gte(writtenStart, start),
        lte(writtenStart, end),
        sql`+${writtenEnd} <= ${end} AND +${calendarWrites.status} = 'written'`,
        sql`+${eventId} IS NOT NULL AND +${calendarWrites.calendarId} IS NULL`,
        sql`NOT EXISTS (SELECT 1 FROM calendar_events e WHERE e.connection_id = ${connectionId} AND e.uid = ${uid})`,
      ),
    )
}

export async function listEventIds(db: Db, connectionId: string): Promise<string[]> {
  const rows = await db
    .select({ id: calendarEvents.eventId })
    .from(calendarEvents)
    .where(eq(calendarEvents.connectionId, connectionId))
  return rows.map(({ id }) => id)
}

export function deleteEvents(db: Db, connectionId: string, ids: readonly string[]): Statement[] {
  const theirs = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  return [
    insertFreedByCalendars(db, sql`(${connectionId})`, sql`busy.event_id IN ${theirs}`),
    db
      .delete(calendarBusyTimes)
      .where(
        and(eq(calendarBusyTimes.connectionId, connectionId), inArray(calendarBusyTimes.eventId, theirs)),
      ),
    db
      .delete(calendarEvents)
      .where(and(eq(calendarEvents.connectionId, connectionId), inArray(calendarEvents.eventId, theirs))),
  ]
}

/** The last of two events with one id is kept. */
export function insertEvents(db: Db, connectionId: string, events: readonly ExternalEvent[]): Statement {
  const latest = new Map(
    events.map(({ id, uid, etag, time }) => [id, [id, uid, etag, time?.start, time?.end]]),
  )
  const rows = sql`SELECT ${connectionId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
    FROM json_each(${JSON.stringify([...latest.values()])}) WHERE true`
  return db
    .insert(calendarEvents)
    .select(rows)
    .onConflictDoUpdate({
      target: [calendarEvents.connectionId, calendarEvents.eventId],
      set: {
        uid: sql`excluded.uid`,
        etag: sql`excluded.etag`,
        startsAt: sql`excluded.starts_at`,
        endsAt: sql`excluded.ends_at`,
      },
      setWhere: sql`excluded.uid IS NOT ${calendarEvents.uid} OR excluded.etag IS NOT ${calendarEvents.etag}
        OR excluded.starts_at IS NOT ${calendarEvents.startsAt} OR excluded.ends_at IS NOT ${calendarEvents.endsAt}`,
    })
}

/**
 * Makes the busy times of these events equal their `pieces`, and writes only differences. Events of bookings of the same
 * organization block only what they do not hold. Long ids and UIDs are sent once per event.
 */
export function replaceBusyTimes(
  db: Db,
  { id, organizationId }: Kept,
  events: readonly BlockingEvent[],
): Statement[] {
  const told = JSON.stringify(events.map(({ id: eventId, uid, pieces }) => [eventId, uid, pieces]))
  const blocking = (columns: SQL) => sql`WITH told AS MATERIALIZED
      (SELECT value ->> 0 AS id, value ->> 1 AS uid, value -> 2 AS pieces FROM json_each(${told}))
    SELECT ${columns} FROM told CROSS JOIN json_each(told.pieces) piece 
    WHERE NOT ${isInPlace(sql`told.uid`, sql`piece.value ->> 0`, sql`piece.value ->> 1`, organizationId)}
      AND (piece.value ->> 2 IS NULL OR ${isOwn(sql`told.uid`, organizationId)})`
  const piece = sql`told.id, piece.value ->> 0, piece.value ->> 1`
  const isOver = (busy: SQL) => sql`${busy}.event_id IN (SELECT value ->> 0 FROM json_each(${told}))
    AND (${busy}.event_id, ${busy}.starts_at, ${busy}.ends_at) NOT IN (${blocking(piece)})`
  return [
    insertFreedByCalendars(db, sql`(${id})`, isOver(sql`busy`)),
    db
      .delete(calendarBusyTimes)
      .where(and(eq(calendarBusyTimes.connectionId, id), isOver(sql`calendar_busy_times`))),
    db
      .insert(calendarBusyTimes)
      .select(blocking(sql`${id}, ${piece}`))
      .onConflictDoNothing(),
  ]
}

/** What events of ours that were written to these calendars block elsewhere, between two instants. */
export const selectElsewhere = preparedQuery<
  Elsewhere,
  readonly [connectionIds: string, from: number, until: number]
>(
  `SELECT connection_id AS connectionId, substr(event_id, ${ELSEWHERE.length + 1}) AS uid, starts_at AS start, ends_at AS end
   FROM calendar_busy_times WHERE connection_id IN (SELECT value FROM json_each(?1))
     AND event_id >= '${ELSEWHERE}' AND event_id < '${ELSEWHERE}\u{10ffff}' AND +starts_at < ?3 AND ends_at > ?2`,
)

/** Busy times changed beside a sync: what is known of the calendar's times elsewhere is out of date by this. */
export function noteNewTimes(db: Db, connectionId: string): Statement {
  const { id, lastSyncAt } = calendarConnections
  return db
    .update(calendarConnections)
    .set({ lastSyncAt: sql`${lastSyncAt} + 1` })
    .where(eq(id, connectionId))
}

/**
 * Whether a UID is one that we gave: named after a booking or a session, or written down as such. The plus leaves the
 * session to its index, however much an organization has.
 */
function isOwn(uid: SQL, organizationId: string) {
  const holder = sql`substr(${uid}, 1, 36)`
  return sql`(${uid} LIKE ${`%${OWN_MARK}`} AND (
    EXISTS (SELECT 1 FROM bookings b WHERE b.id = ${holder} AND b.organization_id = ${organizationId})
    OR EXISTS (SELECT 1 FROM bookings b WHERE b.session_id = ${holder} AND +b.organization_id = ${organizationId})
    OR EXISTS (SELECT 1 FROM calendar_writes w WHERE w.holder_id = ${holder} AND w.organization_id = ${organizationId})))`
}

/**
 * Whether this time of an event is that of its booking or session, or where we wrote it: a booking that moved takes its
 * event along a little later.
 */
function isInPlace(uid: SQL, start: SQL, end: SQL, organizationId: string) {
  const holder = sql`substr(${uid}, 1, 36)`
  const isWritten = sql`EXISTS (SELECT 1 FROM calendar_writes w WHERE w.holder_id = ${holder} AND w.written_start = b.start_time)`
  const isThere = sql`(b.start_time <= ${start} AND b.end_time >= ${end}
    OR b.previous_start_time = ${start} AND NOT ${isWritten})`
  return sql`(${uid} LIKE ${`%${OWN_MARK}`} AND (
    EXISTS (SELECT 1 FROM bookings b WHERE b.id = ${holder} AND b.organization_id = ${organizationId} AND ${isThere})
    OR EXISTS (SELECT 1 FROM bookings b WHERE b.session_id = ${holder} AND +b.organization_id = ${organizationId} AND ${isThere})
    OR EXISTS (SELECT 1 FROM calendar_writes w WHERE w.holder_id = ${holder} AND w.organization_id = ${organizationId}
      AND w.written_start <= ${start} AND w.written_end >= ${end})))`
}

export function findOwn(
  db: Db,
  organizationId: string,
  events: readonly Pick<ExternalEvent, 'uid' | 'busy'>[],
): Promise<{ uid: string; isElsewhere: number }[]> {
  const pieces = events.flatMap(({ uid, busy }) => busy.map(({ start, end }) => [uid, start, end]))
  const there = isInPlace(sql`value ->> 0`, sql`value ->> 1`, sql`value ->> 2`, organizationId)
  return db.all(sql`SELECT value ->> 0 AS uid, max(NOT ${there}) AS isElsewhere
    FROM json_each(${JSON.stringify(pieces)}) WHERE ${isOwn(sql`value ->> 0`, organizationId)} GROUP BY 1`)
}
