import { formatInstant, formatNullable } from '../../http/instants.ts'
import type { ListedConnection } from './queries.ts'
import type { CalendarConnection } from './schema.ts'

export function presentConnection({
  connection,
  memberName,
  upcomingBookings,
}: ListedConnection): CalendarConnection {
  const { preset, server_url, auth_method, calendar_url } = connection.providerMetadata
  return {
    id: connection.id,
    provider: connection.provider,
    calendar_id: connection.calendarId,
    account_email: connection.accountEmail,
    member_id: connection.memberId,
    member_name: memberName,
    connected_at: formatInstant(connection.connectedAt),
    status: connection.status,
    last_sync_at: formatNullable(connection.lastSyncAt),
    sync_status: connection.syncStatus,
    sync_error: connection.syncError,
    upcoming_booking_count: upcomingBookings,
    provider_metadata: { preset, server_url, auth_method, calendar_url },
  }
}
