import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Released } from '../../engine/turn/promotions.ts'
import { aboutColumn, ownerColumn } from '../../outbox/mail/about/statements.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import { cursorOf, inOrder, onPage } from '../../platform/db/list-page.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { waitlistEntries as entries } from '../../platform/db/schema/waitlist.ts'
import { isInTime } from '../../platform/db/waits-until.ts'
import { assertCursor } from '../../platform/http/page.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import type { WaitlistQuery } from './schema.ts'

export type EntryRow = typeof entries.$inferSelect

/** An entry without a place in the waitlist yet. */
export type NewEntry = Omit<EntryRow, 'place'>

/** An entry without its invitee's texts. */
export type WaitingRow = Omit<EntryRow, 'notes' | 'answers'>

const isWaiting = () => eq(entries.status, 'waiting')

const { notes, answers, ...known } = getTableColumns(entries)

/** The event type's waiting entries, oldest first, without their texts, which may be too long for one answer. */
export function selectWaiting(db: Db, eventTypeId: string) {
  return db
    .select(known)
    .from(entries)
    .where(and(eq(entries.eventTypeId, eventTypeId), isWaiting()))
    .orderBy(asc(entries.place))
}

/** The texts of these entries. */
export function selectWritten(db: Db, ids: readonly string[]) {
  return db
    .select({ id: entries.id, notes, answers })
    .from(entries)
    .where(sql`${entries.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}

export function selectWaitingCount(db: Db, eventTypeId: string) {
  return db
    .select({ waiting: sql<number>`count(*)`.as('waiting') })
    .from(entries)
    .where(and(eq(entries.eventTypeId, eventTypeId), isWaiting()))
}

/** The waiting entries for one start; null is any start. */
export function selectWaitingFor(db: Db, eventTypeId: string, start: number | null) {
  return db
    .select({ id: entries.id, email: sql<string>`lower(${entries.inviteeEmail})`.as('email') })
    .from(entries)
    .where(and(eq(entries.eventTypeId, eventTypeId), isWaiting(), sql`${entries.startTime} IS ${start}`))
    .orderBy(asc(entries.place))
}

// Qualified, because a bare column would be the inner query's.
const position = sql<number>`(SELECT count(*) FROM waitlist_entries line
  WHERE line.event_type_id = waitlist_entries.event_type_id AND line.status = 'waiting'
    AND line.start_time IS waitlist_entries.start_time AND line.place <= waitlist_entries.place)`

function selectWithPosition(db: Db) {
  return db.select({ ...getTableColumns(entries), position: position.as('position') }).from(entries)
}

const inTenant = inTenantOf(entries)

export async function findEntryInTenant(db: Db, tenant: Tenant, id: string) {
  const [row] = await selectWithPosition(db).where(and(inTenant(tenant), eq(entries.id, id)))
  return row ?? null
}

export function selectEntry(db: Db, id: string) {
  return selectWithPosition(db).where(eq(entries.id, id))
}

export async function findEntryAndClock(db: Db, id: string) {
  const [row] = await db
    .select({ entry: entries, sandboxNow: organizations.sandboxNow })
    .from(entries)
    .innerJoin(organizations, eq(organizations.id, entries.organizationId))
    .where(eq(entries.id, id))
  return row ?? null
}

/** All that the waiting invitee sees, in one round trip. */
export async function findEntryWithOwner(db: Db, id: string) {
  // All columns of all three tables are more than the hundred that D1 returns.
  const { title, slug, color, timezone, conferencingProvider, location, bookingPageEnabled, active } =
    eventTypes
  const shown = { title, slug, color, timezone, conferencingProvider, location, bookingPageEnabled, active }
  const [row] = await db
    .select({ entry: entries, eventType: shown, organization: organizations })
    .from(entries)
    .innerJoin(eventTypes, eq(eventTypes.id, entries.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, entries.organizationId))
    .where(eq(entries.id, id))
  return row ?? null
}

/** One row more than the page holds, newest first. */
export async function listEntriesInTenant(db: Db, tenant: Tenant, query: WaitlistQuery) {
  const { organizationId, isTest } = tenant
  // All values are listed if none is given, so that the index is used. The plus leaves the choice of the index to the
  // database.
  const statuses = query.status ?? entries.status.enumValues
  const where = and(
    query.event_type_id
      ? and(
          inArray(entries.eventTypeId, [...query.event_type_id]),
          eq(sql`+${entries.organizationId}`, organizationId),
          eq(sql`+${entries.isTest}`, Number(isTest)),
        )
      : inTenant(tenant),
    inArray(entries.status, statuses),
    onPage({ id: entries.id, createdAt: entries.createdAt, mayDiffer: isTest }, query),
  )
  const page = db
    .select()
    .from(entries)
    .where(where)
    .orderBy(inOrder(entries.id, query))
    .limit(query.limit + 1)
  const [rows, places, cursor] = await db.batch([
    page,
    selectPlaces(db, page.getSQL()),
    db
      .select({ id: entries.id })
      .from(entries)
      .where(and(inTenant(tenant), eq(entries.id, cursorOf(query)))),
  ])
  assertCursor(query, cursor)
  const positions = new Map(places.map(({ id, position }) => [id, position]))
  return rows.map((row) => ({ ...row, position: positions.get(row.id) ?? 0 }))
}

/** The place of each entry of a page in its waitlist, each of which is counted once. */
function selectPlaces(db: Db, page: SQL) {
  const counted = sql`(SELECT line.id, row_number() OVER (PARTITION BY line.event_type_id, line.start_time ORDER BY line.place) AS position
    FROM (SELECT DISTINCT event_type_id, start_time FROM (${page}) WHERE status = 'waiting') met
    CROSS JOIN waitlist_entries line ON line.event_type_id = met.event_type_id AND line.start_time IS met.start_time
      AND line.status = 'waiting') counted`
  return db
    .select({ id: sql<string>`id`.as('id'), position: sql<number>`position`.as('position') })
    .from(counted)
    .where(sql`id IN (SELECT id FROM (${page}))`)
}

/** At the end of the waitlist, independent of the clocks that make ids. */
export function insertEntry(db: Db, row: NewEntry): Statement {
  const place = sql`(SELECT coalesce(max(place), 0) + 1 FROM waitlist_entries
    WHERE event_type_id = ${row.eventTypeId} AND status = 'waiting')`
  return db.insert(entries).values({ ...row, place })
}

/** Ends a waiting entry; the batch is refused if it does not wait any more. */
export function endWaiting(db: Db, id: string, changes: Partial<EntryRow>): Statement[] {
  const isOver = sql`NOT EXISTS (SELECT 1 FROM waitlist_entries WHERE id = ${id} AND status = 'waiting')`
  return [refuseWhen(db, 'STALE', isOver), db.update(entries).set(changes).where(eq(entries.id, id))]
}

/** Ends the waiting entries for one start; the batch is refused if they are others by then. */
export function endWaitingFor(
  db: Db,
  eventTypeId: string,
  start: number,
  ids: readonly string[],
  changes: Partial<EntryRow>,
): Statement[] {
  const known = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const isTheirs = sql`event_type_id = ${eventTypeId} AND start_time = ${start} AND status = 'waiting'`
  const isOther = sql`EXISTS (SELECT 1 FROM waitlist_entries WHERE ${isTheirs} AND id NOT IN ${known})
    OR (SELECT count(*) FROM waitlist_entries WHERE ${isTheirs}) <> ${ids.length}`
  const guard = refuseWhen(db, 'STALE', isOther)
  if (ids.length === 0) return [guard]
  return [guard, db.update(entries).set(changes).where(sql`${entries.id} IN ${known}`)]
}

/** The addresses of waiting entries, in lower case as SQLite makes it, and further spellings. */
function addressesOf(eventTypeId: string, spellings: string): SQL {
  return sql`SELECT lower(invitee_email) AS email FROM waitlist_entries
      WHERE event_type_id = ${eventTypeId} AND status = 'waiting'
    UNION SELECT value FROM json_each(${spellings})`
}

/**
 * The seats that waiting invitees have in upcoming sessions, by start. `spellings` are further spellings of their
 * addresses: see `furtherSpellings`.
 */
export function selectSeatsOfWaiting(db: Db, eventTypeId: string, spellings: string, now: PresentMs) {
  const rows = sql`(SELECT b.start_time AS start, lower(seat.value ->> 'email') AS email
    FROM sessions s JOIN bookings b ON b.session_id = s.id AND b.status <> 'cancelled' AND ${isInTime(now)},
      json_each(b.attendees) AS seat
    WHERE s.event_type_id = ${eventTypeId} AND s.start_time >= ${now} AND lower(seat.value ->> 'email') IN
      (${addressesOf(eventTypeId, spellings)})) seats`
  return db
    .select({ start: sql<number>`start`.as('start'), email: sql<string>`email`.as('email') })
    .from(rows)
}

/** The upcoming bookings of waiting invitees per spelling of their address, if the event type limits them. */
export function selectBookingsOfWaiting(db: Db, eventTypeId: string, spellings: string, now: PresentMs) {
  const rows = sql`(SELECT line.email, count(*) AS bookings
    FROM event_types e CROSS JOIN (${addressesOf(eventTypeId, spellings)}) line
    JOIN bookings b ON b.organization_id = e.organization_id AND b.is_test = e.is_test
      AND lower(b.invitee_email) = line.email AND +b.event_type_id = e.id AND b.status <> 'cancelled' AND ${isInTime(now)}
      AND b.start_time > ${now}
    WHERE e.id = ${eventTypeId} AND e.invitee_limit IS NOT NULL GROUP BY line.email) booked`
  return db
    .select({ email: sql<string>`email`.as('email'), bookings: sql<number>`bookings`.as('bookings') })
    .from(rows)
}

/**
 * Other event types with a waitlist that share a resource of the booking, hold, session or series. One is repeated for each such resource:
 * `DISTINCT` would make the database read every row.
 */
export function selectSharing(db: Db, eventTypeId: string, released: Released) {
  const isHolder =
    typeof released === 'string'
      ? sql`holder_id = coalesce((SELECT coalesce(session_id, id) FROM bookings WHERE id = ${released}),
          (SELECT coalesce(session_id, id) FROM slot_holds WHERE id = ${released}), ${released})`
      : sql`holder_id IN (SELECT coalesce(session_id, id) FROM bookings WHERE series_id = ${released.seriesId})`
  const held = (resource: string) => sql`SELECT ${sql.raw(resource)} FROM holds WHERE ${isHolder}`
  // Without rooms of its own, what is held is not read again.
  const hasRooms = sql`EXISTS (SELECT 1 FROM event_type_rooms WHERE event_type_id = ${eventTypeId})`
  const rows = sql`(SELECT shared.event_type_id AS id FROM (
      SELECT event_type_id FROM event_type_resources WHERE resource_id IN (${held('resource_id')})
      UNION ALL SELECT event_type_id FROM event_type_rooms WHERE ${hasRooms} AND resource_id IN (
        ${held('substr(resource_id, 1, 36)')} AND substr(resource_id, 37, 1) = '#')) shared
    WHERE shared.event_type_id <> ${eventTypeId}
      AND EXISTS (SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = shared.event_type_id AND w.status = 'waiting'))`
  return db.select({ id: sql<string>`id`.as('id') }).from(rows)
}

/** The clock of the event type's present: see `nowAsSeen`. */
export function selectClock(db: Db, eventTypeId: string) {
  return db
    .select({ isTest: eventTypes.isTest, sandboxNow: organizations.sandboxNow })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(eq(eventTypes.id, eventTypeId))
}

/** What emails say about the event type of an entry. */
export function selectEmailFacts(
  db: Db,
  { eventTypeId, zoneUnknown }: Pick<EntryRow, 'eventTypeId' | 'zoneUnknown'>,
) {
  return db
    .select({
      location: eventTypes.location,
      about: aboutColumn('waitlist', sql`${Number(zoneUnknown)}`),
      people: ownerColumn(),
    })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(eq(eventTypes.id, eventTypeId))
}
