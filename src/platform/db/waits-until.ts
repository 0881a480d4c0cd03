import { type SQL, sql } from 'drizzle-orm'
import { LAST_INSTANT } from '../../core/last-instant.ts'

/**
 * Until when the booking `b` waits for its approval or its payment; null where it waits for nothing. From that instant on
 * it is counted nowhere, also while nobody has written down that it is over.
 */
export const WAITS_UNTIL = `CASE WHEN b.status IN ('pending_approval', 'pending_payment') THEN (
  SELECT w.expires_at FROM slot_holds w
  WHERE w.booking_id = b.id AND w.purpose <> 'hold' AND w.status IN ('held', 'expired')) END`

/** Until when the booking `b` is counted at the most: without an end where it waits for nothing. */
export const COUNTS_UNTIL = `coalesce(${WAITS_UNTIL}, ${LAST_INSTANT})`

/** Whether the booking `b` has not waited for too long at `now`, for statements that are not written out. */
export function isInTime(now: SQL | number): SQL {
  return sql`${sql.raw(COUNTS_UNTIL)} > ${now}`
}
