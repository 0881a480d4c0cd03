import { presentPrice } from '../../engine/schedule/price.ts'
import { formatInstant, formatNullable } from '../../platform/http/instants.ts'
import type { NewEntry } from './queries.ts'
import type { WaitlistEntry } from './schema.ts'

export function presentEntry(row: NewEntry, position: number): WaitlistEntry {
  return {
    id: row.id,
    event_type_id: row.eventTypeId,
    status: row.status,
    position: row.status === 'waiting' ? position : 0,
    invitee_name: row.inviteeName,
    invitee_email: row.inviteeEmail,
    invitee_timezone: row.inviteeTimezone,
    invitee_locale: row.inviteeLocale,
    notes: row.notes,
    start_time: formatNullable(row.startTime),
    place: row.meetsAt && { ...row.meetsAt },
    ...presentPrice(row.price),
    expires_at: formatInstant(row.expiresAt),
    promoted_booking_id: row.promotedBookingId,
    promoted_at: formatNullable(row.promotedAt),
    is_test: row.isTest,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}
