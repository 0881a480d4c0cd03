import { SECOND_MS } from '../../core/time-units.ts'
import type { Placement } from '../../engine/schedule/placement.ts'
import { priceShown } from '../../engine/schedule/price.ts'
import { unitsOrNull } from '../../engine/schedule/resources/rooms.ts'
import type { EventTypeRow } from '../../engine/schedule/schedule.ts'
import { coHostsOrNull } from '../../engine/schedule/team.ts'
import { newId } from '../../platform/db/ids.ts'
import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { sessionIdOf } from '../bookings/new-booking.ts'
import type { CreateHoldInput } from './schema.ts'

/** The hash of the token and the caller's marks are added by the caller. */
export function newHold(
  eventType: EventTypeRow,
  { seats, ttl_seconds, metadata, member_id }: CreateHoldInput,
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
    coHosts: coHostsOrNull(placement.coHosts),
    hostChosen: member_id != null,
    sessionId: sessionIdOf(placement, eventType.id),
    calendarConnectionId: placement.calendarConnectionId,
    busyAsOf: placement.busyAsOf,
    resources: unitsOrNull(placement.units),
    creditedIds: placement.creditedIds,
    isAssignment: placement.isAssignment,
    metadata,
    price: priceShown(eventType),
    bookingId: null,
    tokenHash: null,
    networkMark: null,
    expiresAt: Math.min(now + ttl_seconds * SECOND_MS, placement.start),
    createdAt: now,
    updatedAt: now,
  }
}
