import { preparedQuery } from '../../platform/db/prepared.ts'

type Marked = { readonly id: string; readonly concern: 'unassigned' | 'out_of_sync' }

/** The first bookings between two instants that have no host or another time in a calendar. */
export const selectMarked = preparedQuery<
  Marked,
  readonly [organizationId: string, isTest: number, from: number, until: number, limit: number]
>(
  `SELECT id, iif(needs_host, 'unassigned', 'out_of_sync') AS concern FROM bookings INDEXED BY bookings_concerned
  WHERE organization_id = ?1 AND is_test = ?2 AND start_time >= ?3 AND start_time < ?4
    AND (needs_host = 1 OR out_of_sync IS NOT NULL) AND status <> 'cancelled'
  ORDER BY start_time LIMIT ?5`,
)
