import { preparedQuery } from '../../../platform/db/prepared.ts'
import type { Bound } from '../../../platform/db/text-statement.ts'

export type Concern = 'unassigned' | 'out_of_sync' | 'in_time_off'

type Concerned = { readonly id: string; readonly concern: Concern }

/** The first bookings between two instants that have no host, another time in a calendar, or a host who is off. */
export const selectConcerned = preparedQuery<
  Concerned,
  readonly [tenant: string, from: number, until: number, limit: number] & readonly Bound[]
>(
  `SELECT id, concern FROM (
    SELECT b.id, b.start_time AS start, CASE WHEN b.needs_host THEN 'unassigned' WHEN b.out_of_sync IS NOT NULL THEN 'out_of_sync'
      WHEN EXISTS (SELECT 1 FROM time_off t WHERE t.member_id = coalesce(b.assigned_host_id, b.organization_id)
        AND t.is_test = b.is_test AND t.ends_at > b.start_time AND t.starts_at < b.end_time AND t.resource_id IS NULL)
      THEN 'in_time_off' END AS concern
    FROM bookings b
    WHERE b.organization_id || '/' || b.is_test = ?1 AND b.status IN ('confirmed', 'rescheduled', 'pending_approval', 'pending_payment')
      AND b.start_time >= ?2 AND b.start_time < ?3)
  WHERE concern IS NOT NULL ORDER BY start, id LIMIT ?4`,
)
