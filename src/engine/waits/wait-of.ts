import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'

/** What a booking waits for, and until when its time is reserved. */
export type Waiting = Pick<SlotHoldRow, 'id' | 'expiresAt'> & {
  readonly purpose: 'payment' | 'approval'
}

/** The hold of a waiting booking: its time, its seats and its place in the cap, until the deadline. */
export function waitOf(row: BookingRow, { id, purpose, expiresAt }: Waiting, now: PresentMs): SlotHoldRow {
  return {
    id,
    organizationId: row.organizationId,
    eventTypeId: row.eventTypeId,
    isTest: row.isTest,
    purpose,
    status: 'held',
    startTime: row.startTime,
    endTime: row.endTime,
    seats: row.attendees.length,
    assignedHostId: row.assignedHostId,
    assignedHost: row.assignedHost,
    coHosts: row.coHosts,
    hostChosen: row.hostChosen,
    sessionId: row.sessionId,
    calendarConnectionId: row.calendarConnectionId,
    busyAsOf: null,
    resources: null,
    creditedIds: [],
    isAssignment: false,
    metadata: {},
    price: row.price,
    bookingId: row.id,
    tokenHash: null,
    // A booking that waits for payment is counted itself.
    networkMark: purpose === 'payment' ? null : row.networkMark,
    expiresAt,
    createdAt: now,
    updatedAt: now,
  }
}

/** Whether a booking waited for too long: from its deadline on it holds nothing, even if nothing removed it yet. */
export function isOver(wait: Pick<SlotHoldRow, 'status' | 'expiresAt'> | undefined, now: PresentMs): boolean {
  return wait !== undefined && (wait.status === 'expired' || now >= wait.expiresAt)
}
