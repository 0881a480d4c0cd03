import { newId } from '../../db/ids.ts'
import type { SlotHoldRow } from '../../db/schema/slot-holds.ts'
import type { PresentMs } from '../../limits/clock.ts'
import type { Placement } from '../../schedule/placement.ts'
import type { EventTypeRow } from '../../schedule/schedule.ts'
import { SECOND_MS } from '../../scheduling/time-units.ts'
import { sessionIdOf } from '../bookings/new-booking.ts'
import type { CreateHoldInput } from './schema.ts'

/** Its token's hash and its caller's mark are added by who knows them. */
export function newHold(
  eventType: EventTypeRow,
  { seats, ttl_seconds, metadata }: CreateHoldInput,
  placement: Placement,
  now: PresentMs,
): SlotHoldRow {
  return {
    id: newId(eventType.id),
    organizationId: eventType.organizationId,
    eventTypeId: eventType.id,
    isTest: eventType.isTest,
    purpose: 'hold',
    status: 'held',
    startTime: placement.start,
    endTime: placement.end,
    seats,
    assignedHostId: placement.host?.member_id ?? null,
    assignedHost: placement.host,
    sessionId: sessionIdOf(placement, eventType.id),
    calendarConnectionId: placement.calendarConnectionId,
    busyAsOf: placement.busyAsOf,
    creditedIds: placement.creditedIds,
    isAssignment: placement.isAssignment,
    metadata,
    bookingId: null,
    tokenHash: null,
    networkMark: null,
    expiresAt: Math.min(now + ttl_seconds * SECOND_MS, placement.start),
    createdAt: now,
    updatedAt: now,
  }
}
