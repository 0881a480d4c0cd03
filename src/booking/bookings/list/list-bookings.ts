import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { isId } from '../../../platform/db/ids.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import { notFound } from '../../../platform/http/errors.ts'
import type { BookingQuery } from '../list-filters/schema.ts'
import { findByWords } from '../search/find-by-words.ts'
import { listBookingsInTenant } from './queries.ts'

/** One row more than the page holds, in its order. */
export async function listBookings(
  env: Env,
  db: Db,
  tenant: Tenant,
  query: BookingQuery,
): Promise<readonly BookingRow[]> {
  assertIds(query)
  const { q } = query
  return q === undefined
    ? listBookingsInTenant(db, tenant, query)
    : findByWords(env, db, tenant, { ...query, q })
}

function assertIds(query: BookingQuery): void {
  if (query.event_type_id && !query.event_type_id.every(isId)) throw notFound('event type')
  if (query.assigned_host_id !== undefined && !isId(query.assigned_host_id)) throw notFound('host')
  if (query.member_id !== undefined && !isId(query.member_id)) throw notFound('member')
  if (query.session_id !== undefined && !isId(query.session_id)) throw notFound('session')
  if (query.series_id !== undefined && !isId(query.series_id)) throw notFound('series')
}
