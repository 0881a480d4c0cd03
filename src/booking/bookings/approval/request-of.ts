import { MINUTE_MS } from '../../../core/time-units.ts'
import type { EventTypeRow } from '../../../engine/schedule/schedule.ts'
import type { Waiting } from '../../../engine/waits/wait-of.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'

/** Until when a booking awaits approval. The wait has the booking's id. */
export function requestOf(
  { id, startTime }: BookingRow,
  { approvalTtlMinutes }: Pick<EventTypeRow, 'approvalTtlMinutes'>,
  now: PresentMs,
): Waiting {
  return { id, purpose: 'approval', expiresAt: Math.min(now + approvalTtlMinutes * MINUTE_MS, startTime) }
}
