import type { Origin } from '../../../platform/auth/caller.ts'
import type { BookingRow, LogEntry } from '../../../platform/db/schema/bookings.ts'
import type { ActivityRow } from '../queries.ts'

/** The action that a live booking logs in its own row. */
export const LOGGED_BY_BOOKING = 'booking.created'

/** What a new booking stores instead of a row of `activity`. Give no secrets in `changes`. */
export function logEntryOf(
  { actorType, actorId, ipAddress, requestId }: Origin,
  changes: LogEntry['changes'],
): LogEntry {
  return { actor_type: actorType, actor_id: actorId, ip_address: ipAddress, request_id: requestId, changes }
}

export type Logged = Pick<BookingRow, 'id' | 'organizationId' | 'createdAt' | 'logEntry'>

/** The entry of a booking, which has the booking's id; null if a row of `activity` is its entry. */
export function entryOf({ id, organizationId, createdAt, logEntry }: Logged): ActivityRow | null {
  if (logEntry === null) return null
  return {
    id,
    organizationId,
    isTest: false,
    actorType: logEntry.actor_type,
    actorId: logEntry.actor_id,
    action: LOGGED_BY_BOOKING,
    resourceType: 'booking',
    resourceId: id,
    changes: logEntry.changes,
    ipAddress: logEntry.ip_address,
    requestId: logEntry.request_id,
    createdAt,
  }
}
