import type { BookingRow } from '../../../db/schema/bookings.ts'
import type { PresentMs } from '../../../limits/clock.ts'
import type { EventTypeRow } from '../../../schedule/schedule.ts'
import { MINUTE_MS } from '../../../scheduling/time-units.ts'
import type { Waiting } from '../../waits/wait-of.ts'

/** Until when a booking waits for its approval: it has the booking's id. */
export function requestOf(
  { id, startTime }: BookingRow,
  { approvalTtlMinutes }: Pick<EventTypeRow, 'approvalTtlMinutes'>,
  now: PresentMs,
): Waiting {
  return { id, purpose: 'approval', expiresAt: Math.min(now + approvalTtlMinutes * MINUTE_MS, startTime) }
}
