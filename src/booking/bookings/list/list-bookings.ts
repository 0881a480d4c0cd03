import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { BookingQuery } from '../list-filters/schema.ts'
import { findByWords } from '../search/find-by-words.ts'
import { listBookingsInTenant } from './queries.ts'

/** One row more than the page holds, in its order. */
export function listBookings(
  env: Env,
  db: Db,
  tenant: Tenant,
  query: BookingQuery,
): Promise<readonly BookingRow[]> {
  const { q } = query
  return q === undefined
    ? listBookingsInTenant(db, tenant, query)
    : findByWords(env, db, tenant, { ...query, q })
}
