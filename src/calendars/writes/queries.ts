import { and, eq, getTableColumns, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Interval } from '../../core/interval.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { calendarsOfCoHosts } from '../../platform/db/co-hosts.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../platform/db/due-page.ts'
import { selectHeldBookings } from '../../platform/db/held-bookings.ts'
import { isFree, leaseAt, takeLease } from '../../platform/db/leases.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import {
  type ConnectionRow,
  calendarConnections,
  calendarWrites,
} from '../../platform/db/schema/calendars.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'

export type WriteRow = typeof calendarWrites.$inferSelect
export type BookingRow = typeof bookings.$inferSelect

/** One event of one calendar. */
export type WriteKey = Pick<WriteRow, 'holderId' | 'connectionId'>

function isThis({ holderId, connectionId }: WriteKey) {
  return and(eq(calendarWrites.holderId, holderId), eq(calendarWrites.connectionId, connectionId))
}

/** Due writes without an active lease. */
export function selectDueWrites(
  db: Db,
  now: number,
  last?: WriteKey & { readonly nextAttemptAt: number | null },
) {
  const { holderId, connectionId, nextAttemptAt } = calendarWrites
  const order = [nextAttemptAt, holderId, connectionId]
  const isNext = comesAfter(order, last && [last.nextAttemptAt, last.holderId, last.connectionId])
  return db
    .select({ holderId, connectionId, nextAttemptAt })
    .from(calendarWrites)
    .where(
      and(
        lte(nextAttemptAt, now),
        isFree(calendarWrites.claimedUntil, now),
        staysHere(calendarWrites.organizationId),
        isNext,
      ),
    )
    .orderBy(...order)
    .limit(DUE_A_PAGE)
}

/** Takes a write that is due, so that nobody else makes it for the length of a lease; null when it is not to be made now. */
export async function claimWrite(db: Db, key: WriteKey, now: number): Promise<WriteRow | null> {
  const [row] = await takeLease(db, calendarWrites, isThis(key), leaseAt('calendarWrite', now))
  return row ?? null
}

/** A condition to look at, not to search by: the plus keeps the index of all that the calendar has from being chosen. */
function isWrittenTo(connectionId: string) {
  return sql`+${bookings.calendarConnectionId} = ${connectionId}`
}

const CO_HOSTED = sql.raw(calendarsOfCoHosts('bookings'))

/** Of each holder, the bookings that are to be in this calendar: its own, and those of other hosts. */
export function selectWritten(db: Db, { holderId, connectionId }: WriteKey) {
  const isOfCoHost = sql`${connectionId} IN (${CO_HOSTED})`
  return selectHeldBookings(db, holderId, or(isWrittenTo(connectionId), isOfCoHost))
}

/** The calendar, and whether the event stays in it for another host who connected the same one. */
export function selectConnection(db: Db, { holderId, connectionId }: WriteKey) {
  // Names in full, because Drizzle leaves the tables out of a query of one.
  const isShared = sql`EXISTS (SELECT 1 FROM calendar_writes other CROSS JOIN calendar_connections theirs ON theirs.id = other.connection_id
    WHERE other.holder_id = ${holderId} AND other.connection_id <> ${connectionId}
      AND theirs.provider = calendar_connections.provider AND theirs.calendar_id = calendar_connections.calendar_id
      AND EXISTS (SELECT 1 FROM bookings WHERE (bookings.id = ${holderId} OR bookings.session_id = ${holderId})
        AND coalesce(bookings.session_id, bookings.id) = ${holderId} AND bookings.status IN ('confirmed', 'rescheduled')
        AND (bookings.calendar_connection_id = theirs.id OR theirs.id IN (${CO_HOSTED}))))`
  return db
    .select({
      connection: getTableColumns(calendarConnections),
      isShared: isShared.mapWith(Boolean).as('is_shared'),
    })
    .from(calendarConnections)
    .where(eq(calendarConnections.id, connectionId))
}

/** The calendars of its account that have the event of a holder for others, by the provider's ids. */
export async function listCalendarsOfOthers(db: Db, { holderId, connectionId }: WriteKey): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT coalesce(w.calendar_id, c.calendar_id) AS id
    FROM calendar_writes w CROSS JOIN calendar_connections c ON c.id = w.connection_id
    CROSS JOIN calendar_connections own ON own.id = ${connectionId} AND own.calendar_id <> c.calendar_id
    WHERE w.holder_id = ${holderId} AND w.connection_id <> ${connectionId} AND w.status <> 'removed'`)
  return rows.map(({ id }) => id)
}

export function deleteWrite(db: Db, key: WriteKey): Statement {
  return db.delete(calendarWrites).where(isThis(key))
}

/** Keeps, before an attempt goes on, what the next one is to know if it dies. */
export async function noteIntent(
  db: Db,
  key: WriteKey,
  intent: Partial<
    Pick<WriteRow, 'writtenStart' | 'writtenEnd' | 'eventId' | 'calendarId' | 'etag' | 'meetingUrl'>
  >,
): Promise<void> {
  await db.update(calendarWrites).set(intent).where(isThis(key))
}

/** What is known of an event that is in no calendar any more. */
export const NOTHING_THERE = {
  eventId: null,
  calendarId: null,
  etag: null,
  writtenStart: null,
  writtenEnd: null,
  meetingUrl: null,
  cancelAt: null,
  isMoved: false,
} as const satisfies Partial<WriteRow>

/** Ends a claim. A change since it was taken stays due. */
export function endWrite(db: Db, claimed: WriteRow, found: Partial<WriteRow>, now: number): Statement {
  const isAsClaimed = sql`(${calendarWrites.wantedRevision} = ${claimed.wantedRevision}
    AND ${calendarWrites.suspectedAt} IS ${claimed.suspectedAt})`
  const { status = 'pending', nextAttemptAt = null, ...rest } = found
  return db
    .update(calendarWrites)
    .set({
      ...rest,
      claimedUntil: null,
      status: sql`CASE WHEN ${isAsClaimed} THEN ${status} ELSE 'pending' END`,
      nextAttemptAt: sql`CASE WHEN ${isAsClaimed} THEN ${nextAttemptAt} ELSE ${calendarWrites.nextAttemptAt} END`,
      updatedAt: now,
    })
    .where(and(isThis(claimed), eq(calendarWrites.claimedUntil, claimed.claimedUntil!)))
}

/** A checked suspicion ends, unless there is a new one. */
export function clearSuspicion(db: Db, claimed: WriteRow): Statement {
  return db
    .update(calendarWrites)
    .set({ suspectedAt: null })
    .where(and(isThis(claimed), sql`${calendarWrites.suspectedAt} IS ${claimed.suspectedAt}`))
}

/** What the bookings show of their event. */
export function showInBookings(
  db: Db,
  { connectionId }: WriteKey,
  bookingIds: readonly string[],
  shown: Pick<BookingRow, 'calendarEventId'> | Pick<BookingRow, 'syncError'> | BookingShown,
): Statement {
  const ids = JSON.stringify(bookingIds)
  return db
    .update(bookings)
    .set(shown)
    .where(and(sql`${bookings.id} IN (SELECT value FROM json_each(${ids}))`, isWrittenTo(connectionId)))
}

type BookingShown = Pick<BookingRow, 'calendarEventId' | 'syncError' | 'outOfSync'>

/** Nobody's event any more: of those who are no longer written there. */
export function hideEvent(db: Db, { holderId, connectionId }: WriteKey): Statement {
  return db
    .update(bookings)
    .set({ calendarEventId: null })
    .where(
      and(
        or(eq(bookings.id, holderId), eq(bookings.sessionId, holderId)),
        isWrittenTo(connectionId),
        eq(bookings.status, 'cancelled'),
      ),
    )
}

/** One of our events, and whether the calendar that it was moved to is connected and notifies. */
export type OwnEvent = WriteRow & { readonly isWatchedElsewhere: boolean }

/**
 * The events that were written to a calendar or dragged there from another one of its account: those named, and all
 * that lie in `whole` where that is given.
 */
export function listOwnEvents(
  db: Db,
  { id: connectionId, accountId, calendarId }: Pick<ConnectionRow, 'id' | 'accountId' | 'calendarId'>,
  named: { readonly ids: readonly string[]; readonly uids: readonly string[] },
  whole: Interval | null,
): Promise<OwnEvent[]> {
  // Each part by an index of its own: what is written once stays, and a calendar has years of it.
  const inCalendar = (part: SQL) =>
    sql`SELECT rowid FROM calendar_writes WHERE connection_id = ${connectionId} AND ${part}`
  const parts = [
    inCalendar(sql`event_id IN (SELECT value FROM json_each(${JSON.stringify(named.ids)}))`),
    inCalendar(sql`uid IN (SELECT value FROM json_each(${JSON.stringify(named.uids)}))`),
    ...(whole ? [inCalendar(sql`written_start >= ${whole.start} AND written_start <= ${whole.end}`)] : []),
    // Few are ever dragged.
    sql`SELECT rowid FROM calendar_writes WHERE calendar_id = ${calendarId} AND connection_id IN
      (SELECT id FROM calendar_connections WHERE account_id = ${accountId} AND id <> ${connectionId})`,
  ]
  const isInWhole = whole
    ? sql`(+written_start >= ${whole.start} AND +${calendarWrites.writtenEnd} <= ${whole.end})`
    : sql`false`
  const isNamed = or(
    sql`+${calendarWrites.eventId} IN (SELECT value FROM json_each(${JSON.stringify(named.ids)}))`,
    sql`+${calendarWrites.uid} IN (SELECT value FROM json_each(${JSON.stringify(named.uids)}))`,
  )
  const isWatchedElsewhere = sql<boolean>`(${calendarWrites.calendarId} IS NOT NULL AND EXISTS (
    SELECT 1 FROM calendar_connections c WHERE c.account_id = ${accountId} AND c.calendar_id = calendar_writes.calendar_id))`
  return db
    .select({
      ...getTableColumns(calendarWrites),
      isWatchedElsewhere: isWatchedElsewhere.mapWith(Boolean).as('is_watched_elsewhere'),
    })
    .from(calendarWrites)
    .where(
      and(
        sql`rowid IN (${sql.join(parts, sql` UNION `)})`,
        isNotNull(calendarWrites.eventId),
        isNotNull(calendarWrites.writtenStart),
        or(isNamed, isInWhole),
      ),
    )
}

/** Has somebody look into them. */
export function suspect(db: Db, keys: readonly WriteKey[], now: number): Statement {
  const pairs = JSON.stringify(keys.map(({ holderId, connectionId }) => [holderId, connectionId]))
  return db
    .update(calendarWrites)
    .set({ suspectedAt: now, nextAttemptAt: now, attempts: 0, status: 'pending', updatedAt: now })
    .where(
      sql`(${calendarWrites.holderId}, ${calendarWrites.connectionId}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${pairs}))`,
    )
}

/**
 * The first upcoming booking that differs from its event is reported with the calendar, which stays connected: in the batch that
 * stores a sync.
 */
export function complain(db: Db, connectionId: string, now: number): Statement {
  return tell(db, connectionId, sql`coalesce(${complaint(connectionId, now)}, sync_error)`)
}

/** The same after one of its events moved or no longer differs; without differences the report ends. */
export function complainAgain(db: Db, connectionId: string, now: number): Statement {
  return tell(db, connectionId, complaint(connectionId, now))
}

function complaint(connectionId: string, now: number): SQL {
  return sql`(SELECT b.sync_error FROM bookings b WHERE b.calendar_connection_id = ${connectionId}
    AND b.start_time > ${now} AND b.status <> 'cancelled' AND b.sync_error IS NOT NULL ORDER BY b.start_time LIMIT 1)`
}

function tell(db: Db, connectionId: string, syncError: SQL): Statement {
  return db
    .update(calendarConnections)
    .set({ syncError })
    .where(and(eq(calendarConnections.id, connectionId), eq(calendarConnections.syncStatus, 'connected')))
}

/** What the organization wants when an event of ours is moved. */
export async function findCalendarMoves(db: Db, organizationId: string) {
  const [row] = await db
    .select({ calendarMoves: organizations.calendarMoves })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.calendarMoves ?? 'ask'
}
