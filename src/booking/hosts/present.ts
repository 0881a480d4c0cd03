import { formatInstant, formatNullable } from '../../platform/http/instants.ts'
import type { HostRow } from './queries.ts'
import type { Host } from './schema.ts'

export function presentHost(
  row: HostRow & {
    readonly memberEmail: string
    readonly name: string | null
    readonly hasCalendar: boolean
  },
): Host {
  return {
    id: row.id,
    event_type_id: row.eventTypeId,
    member_id: row.memberId,
    member_email: row.memberEmail,
    name: row.name,
    priority: row.priority,
    weight: row.weight,
    part: row.part,
    schedule_id: row.scheduleId,
    total_bookings: row.totalBookings,
    last_booking_at: formatNullable(row.lastBookingAt),
    has_calendar: row.hasCalendar,
    created_at: formatInstant(row.createdAt),
  }
}
