import { and, eq, getTableColumns, inArray, lte, or, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../db/client.ts'
import { comesAfter, DUE_A_PAGE } from '../../../db/due-page.ts'
import { refuseWhen } from '../../../db/refusals.ts'
import { calendarBusyTimes, calendarConnections, calendarEvents } from '../../../db/schema/calendars.ts'
import type { ExternalEvent } from '../../../providers/calendar/calendar-client.ts'
import { OWN_MARK } from '../../../schedule/own-uids.ts'
import { insertFreedByCalendars } from '../../waitlist/statements.ts'

export type ConnectionRow = typeof calendarConnections.$inferSelect
export type Kept = Pick<ConnectionRow, 'id' | 'organizationId'>
type BusyPiece = {
  readonly id: string
  readonly uid: string
  readonly start: number
  readonly end: number
}

export function selectDueConnections(
  db: Db,
  now: number,
  last?: { readonly nextSyncAt: number; readonly id: string },
) {
  const { id, nextSyncAt } = calendarConnections
  const isNext = comesAfter([nextSyncAt, id], last && [last.nextSyncAt, last.id])
  return db
    .select({ id, nextSyncAt })
    .from(calendarConnections)
    .where(and(sql`status IN ('active', 'error')`, lte(nextSyncAt, now), isNext))
    .orderBy(nextSyncAt, id)
    .limit(DUE_A_PAGE)
}

/**
 * Takes a connection for one sync, which is given up for lost at `lostAt`. Null when it is being synced, was
 * synced at `since` or later, or is gone; unless `isForced`, also when its permission ended.
 */
export async function claimSync(
  db: Db,
  id: string,
  claim: {
    readonly now: number
    readonly lostAt: number
    readonly since: number
    readonly isForced: boolean
  },
): Promise<(ConnectionRow & { readonly sandboxNow: number | null }) | null> {
  const { now, lostAt, since, isForced } = claim
  const sandboxNow = sql<number | null>`CASE WHEN is_test THEN
    (SELECT o.sandbox_now FROM organizations o WHERE o.id = organization_id) END`
  const [row] = await db
    .update(calendarConnections)
    .set({ syncStatus: 'syncing', nextSyncAt: lostAt })
    .where(
      and(
        eq(calendarConnections.id, id),
        isForced ? undefined : inArray(calendarConnections.status, ['active', 'error']),
        or(sql`sync_status <> 'syncing'`, lte(calendarConnections.nextSyncAt, now)),
        sql`coalesce(last_sync_at, 0) < ${since}`,
      ),
    )
    .returning({ ...getTableColumns(calendarConnections), sandboxNow: sandboxNow.as('sandbox_now') })
  return row ?? null
}

/** Ends a sync that is still the one that `lostAt` was set for; else the whole batch is refused. */
export function endSync(
  db: Db,
  id: string,
  lostAt: number,
  changes: Partial<ConnectionRow>,
): [Statement, Statement] {
  const isLost = sql`NOT EXISTS (SELECT 1 FROM calendar_connections
    WHERE id = ${id} AND sync_status = 'syncing' AND next_sync_at = ${lostAt})`
  return [
    refuseWhen(db, 'STALE', isLost),
    db.update(calendarConnections).set(changes).where(eq(calendarConnections.id, id)),
  ]
}

/** Tokens that were renewed in the meantime stay. */
export function replaceCredentials(db: Db, id: string, read: string, credentials: string): Statement {
  return db
    .update(calendarConnections)
    .set({ credentials })
    .where(and(eq(calendarConnections.id, id), eq(calendarConnections.credentials, read)))
}

export async function listEtags(db: Db, connectionId: string): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: calendarEvents.eventId, etag: calendarEvents.etag })
    .from(calendarEvents)
    .where(eq(calendarEvents.connectionId, connectionId))
  return new Map(rows.flatMap(({ id, etag }) => (etag === null ? [] : [[id, etag] as const])))
}

export function deleteAllEvents(db: Db, connectionId: string): Statement[] {
  return [
    insertFreedByCalendars(db, sql`(${connectionId})`, null),
    db.delete(calendarBusyTimes).where(eq(calendarBusyTimes.connectionId, connectionId)),
    db.delete(calendarEvents).where(eq(calendarEvents.connectionId, connectionId)),
  ]
}

export function deleteEvents(db: Db, connectionId: string, ids: readonly string[]): Statement[] {
  const theirs = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  return [
    insertFreedByCalendars(db, sql`(${connectionId})`, theirs),
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
    })
}

/** An event that stands for a booking of the same organization blocks nothing: what is booked is known. */
export function insertBusyTimes(
  db: Db,
  { id, organizationId }: Kept,
  pieces: readonly BusyPiece[],
): Statement {
  const told = JSON.stringify(pieces.map(({ id: eventId, uid, start, end }) => [eventId, uid, start, end]))
  const rows = sql`SELECT ${id}, value ->> 0, value ->> 2, value ->> 3 FROM json_each(${told})
    WHERE NOT ${isOwn(sql`value ->> 1`, organizationId)}`
  return db.insert(calendarBusyTimes).select(rows).onConflictDoNothing()
}

/** Whether a UID is one that we gave: named after a booking or a session, or written down as such. */
function isOwn(uid: ReturnType<typeof sql>, organizationId: string) {
  const holder = sql`substr(${uid}, 1, 36)`
  return sql`(${uid} LIKE ${`%${OWN_MARK}`} AND (
    EXISTS (SELECT 1 FROM bookings b WHERE b.id = ${holder} AND b.organization_id = ${organizationId})
    OR EXISTS (SELECT 1 FROM bookings b WHERE b.session_id = ${holder} AND b.organization_id = ${organizationId})
    OR EXISTS (SELECT 1 FROM calendar_writes w WHERE w.holder_id = ${holder} AND w.organization_id = ${organizationId})))`
}

export async function findOwnUids(
  db: Db,
  organizationId: string,
  uids: readonly string[],
): Promise<Set<string>> {
  const own = await db.all<{ uid: string }>(
    sql`SELECT value AS uid FROM json_each(${JSON.stringify(uids)}) WHERE ${isOwn(sql`value`, organizationId)}`,
  )
  return new Set(own.map(({ uid }) => uid))
}
