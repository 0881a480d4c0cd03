import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { cursorOf, inOrder, onPage } from '../../../platform/db/list-page.ts'
import { preparedQuery } from '../../../platform/db/prepared.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import type { ActivityQuery } from '../schema.ts'

/* Live bookings that are their own entries in the log. */

const { id, organizationId, isTest, status, createdAt, logEntry } = bookings
const FIELDS = { id, organizationId, createdAt, logEntry }
/** All of them are named, so that the index of the statuses is used. */
const IN_LOG = `is_test = 0 AND status IN (SELECT value FROM json_each('${JSON.stringify(status.enumValues)}'))`

function isIn(tenant: Tenant): SQL | undefined {
  return and(eq(sql`+${organizationId}`, tenant.organizationId), eq(sql`+${isTest}`, 0))
}

/**
 * The bookings of a page of the log: as many as the page may have, whether or not they are entries. `onlyEntries` reads on until
 * there are so many entries.
 */
export function selectBooked(db: Db, tenant: Tenant, query: ActivityQuery, onlyEntries = false) {
  const place = { id, createdAt: sql`+${createdAt}`, mayDiffer: false }
  return db
    .select(FIELDS)
    .from(bookings)
    .where(
      and(
        eq(organizationId, tenant.organizationId),
        sql.raw(IN_LOG),
        onPage(place, query),
        onlyEntries ? isNotNull(logEntry) : undefined,
      ),
    )
    .orderBy(inOrder(id, query))
    .limit(query.limit + 1)
}

/** The booking that a page of the log is about. */
export function selectBookedOne(db: Db, tenant: Tenant, bookingId: string, query: ActivityQuery) {
  const isOnPage = onPage({ id: sql`+${id}`, createdAt, mayDiffer: false }, query)
  return db
    .select(FIELDS)
    .from(bookings)
    .where(and(eq(id, bookingId), isIn(tenant), isOnPage))
}

/** Whether the entry that a page begins or ends at is a booking. */
export function selectBookedCursor(db: Db, tenant: Tenant, query: ActivityQuery) {
  return db
    .select({ id })
    .from(bookings)
    .where(and(eq(id, cursorOf(query)), isIn(tenant), isNotNull(logEntry)))
}

/** The ids of an organization's live bookings in a range. */
export function bookedIds(range: string, limit: number): string {
  return `SELECT id FROM bookings WHERE organization_id = ?1 AND ${IN_LOG} AND ${range} ORDER BY id LIMIT ${limit}`
}

/** Removes the network addresses of the entries of these ids. */
export const clearBookedAddresses = preparedQuery<
  { readonly id: string },
  readonly [organizationId: string, first: string, last: string]
>(
  `UPDATE bookings SET log_entry = json_set(log_entry, '$.ip_address', NULL)
   WHERE organization_id = ?1 AND ${IN_LOG} AND id >= ?2 AND id <= ?3 AND log_entry ->> 'ip_address' IS NOT NULL RETURNING id`,
)
