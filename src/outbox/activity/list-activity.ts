import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { assertCursor } from '../../platform/http/page.ts'
import { entryOf, LOGGED_BY_BOOKING, type Logged } from './bookings/own-entry.ts'
import { selectBooked, selectBookedCursor, selectBookedOne } from './bookings/statements.ts'
import { type ActivityRow, selectActivity, selectCursor } from './queries.ts'
import type { ActivityQuery } from './schema.ts'

/** One row more than the page holds, newest first: rows of `activity`, and bookings that are their own entries. */
export async function listActivity(db: Db, tenant: Tenant, query: ActivityQuery): Promise<ActivityRow[]> {
  if (tenant.isTest) {
    const [rows, cursor] = await db.batch([
      selectActivity(db, tenant, query),
      selectCursor(db, tenant, query),
    ])
    assertCursor(query, cursor)
    return rows
  }
  const resourceId = query.resource_id?.toLowerCase()
  const [rows, cursor, bookedCursor, booked] = await db.batch([
    selectActivity(db, tenant, query),
    selectCursor(db, tenant, query),
    selectBookedCursor(db, tenant, query),
    ...(mayBeBooked(query)
      ? [
          resourceId === undefined
            ? selectBooked(db, tenant, query)
            : selectBookedOne(db, tenant, resourceId, query),
        ]
      : []),
  ])
  assertCursor(query, [...cursor, ...bookedCursor])
  if (booked === undefined) return rows
  const page = pageOf(rows, booked, query)
  if (resourceId !== undefined || isComplete(page, booked, query)) return page
  // Requests fill the page. Their entries are rows of `activity`, which the filter leaves out.
  return pageOf(rows, await selectBooked(db, tenant, query, true), query)
}

function mayBeBooked({ action, resource_type: type }: ActivityQuery): boolean {
  return (type ?? 'booking') === 'booking' && (action === undefined || action.includes(LOGGED_BY_BOOKING))
}

function pageOf(
  rows: readonly ActivityRow[],
  booked: readonly Logged[],
  query: ActivityQuery,
): ActivityRow[] {
  const entries = booked.map(entryOf).filter((entry) => entry !== null)
  return [...rows, ...entries].sort(inOrderOf(query)).slice(0, query.limit + 1)
}

/** Whether no booking that was not read belongs onto the page. */
function isComplete(page: readonly ActivityRow[], booked: readonly Logged[], query: ActivityQuery): boolean {
  const [last, furthest] = [page.at(query.limit), booked.at(query.limit)]
  return !furthest || (last !== undefined && inOrderOf(query)(last, furthest) <= 0)
}

type Placed = { readonly id: string }

function inOrderOf({ order, ending_before: before }: ActivityQuery): (one: Placed, other: Placed) => number {
  const isUpwards = (order === 'asc') === (before === undefined)
  return ({ id: one }, { id: other }) => (one === other ? 0 : one < other === isUpwards ? -1 : 1)
}
