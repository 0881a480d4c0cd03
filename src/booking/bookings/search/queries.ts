import { and, asc, eq, getTableColumns, gt, isNotNull, like, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { comesAfter, staysHere } from '../../../platform/db/due-page.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { eventSequences, events } from '../../../platform/db/schema/records.ts'
import { bookingSearches, bookingWords } from '../../../platform/db/schema/searches.ts'
import type { BookingQuery } from '../list-filters/schema.ts'
import { isOfMember, matches } from '../list-filters/statements.ts'

type Owned = { readonly organizationId: SQLiteColumn; readonly isTest: SQLiteColumn }

function isOurs({ organizationId, isTest }: Owned, tenant: Tenant) {
  return and(eq(organizationId, tenant.organizationId), eq(isTest, tenant.isTest))
}

export function selectSearch(db: Db, tenant: Tenant) {
  const { sequence, filledTo, version } = bookingSearches
  return db
    .select({ sequence, filledTo, version })
    .from(bookingSearches)
    .where(isOurs(bookingSearches, tenant))
}

/** The events that the words do not have yet, the oldest first. */
export function selectNews(db: Db, tenant: Tenant, limit: number) {
  const known = db
    .select({ sequence: bookingSearches.sequence })
    .from(bookingSearches)
    .where(isOurs(bookingSearches, tenant))
  return db
    .select({
      sequence: events.sequence,
      bookingId: sql<string | null>`CASE WHEN ${like(events.kind, 'booking.%')} THEN data ->> '$.id' END`,
    })
    .from(events)
    .where(and(isOurs(events, tenant), gt(events.sequence, sql`coalesce((${known}), 0)`)))
    .orderBy(asc(events.sequence))
    .limit(limit)
}

/** The last event that was deleted, if any, and the last one that is there. */
export function selectSequences(db: Db, { organizationId, isTest }: Tenant) {
  const last = db
    .select({ last: eventSequences.last })
    .from(eventSequences)
    .where(and(eq(eventSequences.organizationId, organizationId), eq(eventSequences.isTest, isTest)))
  const newest = sql`(SELECT max(sequence) FROM events WHERE organization_id = ${organizationId} AND is_test = ${Number(isTest)})`
  return db
    .select({
      gone: sql<number>`coalesce((${last}), 0)`.as('gone'),
      newest: sql<number>`coalesce(${newest}, (${last}), 0)`.as('newest'),
    })
    .from(sql`(SELECT 1)`)
}

/** Bookings by status and id, after the last that was read. */
export function selectToFill(db: Db, tenant: Tenant, filledTo: string, limit: number) {
  const { organizationId, isTest, status, id } = bookings
  const [lastStatus, lastId] = filledTo.split('/')
  return db
    .select()
    .from(bookings)
    .where(
      and(
        eq(organizationId, tenant.organizationId),
        eq(isTest, tenant.isTest),
        comesAfter([status, id], lastId === undefined ? undefined : [lastStatus!, lastId]),
      ),
    )
    .orderBy(asc(status), asc(id))
    .limit(limit)
}

export type Part = Pick<typeof bookingWords.$inferSelect, 'bucket' | 'part' | 'lines'>
const PARTS_AT_ONCE = 16

/** The rows of some buckets, page by page. */
export async function* readParts(
  db: Db,
  tenant: Tenant,
  buckets: { readonly from: string; readonly below: string },
): AsyncGenerator<Part> {
  const { bucket, part, lines } = bookingWords
  for (let last: Part | undefined; ; ) {
    const page = await db
      .select({ bucket, part, lines })
      .from(bookingWords)
      .where(
        and(
          isOurs(bookingWords, tenant),
          sql`${bucket} < ${buckets.below}`,
          last === undefined
            ? sql`${bucket} >= ${buckets.from}`
            : comesAfter([bucket, part], [last.bucket, last.part]),
        ),
      )
      .orderBy(asc(bucket), asc(part))
      .limit(PARTS_AT_ONCE)
    yield* page
    if (page.length < PARTS_AT_ONCE) return
    last = page.at(-1)!
  }
}

/** Those of these bookings that match the filters. */
export function selectAmong(db: Db, tenant: Tenant, query: BookingQuery, ids: readonly string[]) {
  const { createdAt } = bookings
  const since = query.created_after
  return db
    .select(getTableColumns(bookings))
    .from(sql`json_each(${JSON.stringify(ids)}) one`)
    .innerJoin(bookings, sql`${bookings.id} = one.value`)
    .where(
      and(
        matches(tenant, query, []),
        isOfMember(tenant, query),
        since === undefined ? undefined : gt(sql`+${createdAt}`, since),
      ),
    )
}

export function selectByIds(db: Db, ids: readonly string[]) {
  return db
    .select()
    .from(bookings)
    .where(sql`${bookings.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}

export function selectCursor(db: Db, tenant: Tenant, cursor: string) {
  const { id, startTime } = bookings
  return db
    .select({ id, startTime })
    .from(bookings)
    .where(and(isOurs(bookings, tenant), eq(id, cursor)))
}

export const FILLS_A_PAGE = 20

/** Tenants whose existing bookings are being read. */
export function selectDueFills(db: Db, _now: number, last?: Tenant) {
  const { organizationId, isTest, filledTo } = bookingSearches
  return db
    .select({ organizationId, isTest })
    .from(bookingSearches)
    .where(
      and(
        isNotNull(filledTo),
        staysHere(organizationId),
        comesAfter([organizationId, isTest], last ? [last.organizationId, Number(last.isTest)] : ['', 0]),
      ),
    )
    .orderBy(asc(organizationId), asc(isTest))
    .limit(FILLS_A_PAGE)
}
