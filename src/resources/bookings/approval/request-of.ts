import type { BookingRow } from '../../../db/schema/bookings.ts'
import type { SlotHoldRow } from '../../../db/schema/slot-holds.ts'
import type { PresentMs } from '../../../limits/clock.ts'
import type { EventTypeRow } from '../../../schedule/schedule.ts'
import { MINUTE_MS } from '../../../scheduling/time-units.ts'

/** What a booking that waits for its approval holds, and until when: it has the booking's id. */
export function requestOf(
  row: BookingRow,
  { approvalTtlMinutes }: Pick<EventTypeRow, 'approvalTtlMinutes'>,
  now: PresentMs,
): SlotHoldRow {
  return {
    id: row.id,
    organizationId: row.organizationId,
    eventTypeId: row.eventTypeId,
    isTest: row.isTest,
    purpose: 'approval',
    status: 'held',
    startTime: row.startTime,
    endTime: row.endTime,
    seats: row.attendees.length,
    assignedHostId: row.assignedHostId,
    assignedHost: row.assignedHost,
    sessionId: row.sessionId,
    calendarConnectionId: row.calendarConnectionId,
    busyAsOf: null,
    creditedIds: [],
    isAssignment: false,
    metadata: {},
    bookingId: row.id,
    tokenHash: null,
    networkMark: row.networkMark,
    expiresAt: Math.min(now + approvalTtlMinutes * MINUTE_MS, row.startTime),
    createdAt: now,
    updatedAt: now,
  }
}
