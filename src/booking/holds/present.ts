import { presentPrice } from '../../engine/schedule/price.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { presentHosts } from '../bookings/present.ts'
import type { Hold } from './schema.ts'

/** Whether it holds time: from its deadline on it does not, even if it has not been removed. */
export function isHeld({ status, expiresAt }: SlotHoldRow, now: PresentMs): boolean {
  return status === 'held' && now < expiresAt
}

export function presentHold(reader: Pick<Origin, 'actorType'>, row: SlotHoldRow, now: PresentMs): Hold {
  return {
    id: row.id,
    event_type_id: row.eventTypeId,
    status: row.status === 'held' && !isHeld(row, now) ? 'expired' : row.status,
    start_time: formatInstant(row.startTime),
    end_time: formatInstant(row.endTime),
    seats: row.seats,
    ...presentHosts(row, reader),
    ...presentPrice(row.price),
    expires_at: formatInstant(row.expiresAt),
    booking_id: row.bookingId,
    is_test: row.isTest,
    created_at: formatInstant(row.createdAt),
  }
}
