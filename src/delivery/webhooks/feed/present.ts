import type { EventRow } from '../../../platform/db/schema/records.ts'
import { formatInstant } from '../../../platform/http/instants.ts'
import type { ServiceEvent } from './schema.ts'

/** What receivers get and what the feed shows, byte for byte the same. */
export function presentEvent(row: EventRow): ServiceEvent {
  return {
    id: row.id,
    event: row.kind,
    created_at: formatInstant(row.createdAt),
    organization_id: row.organizationId,
    is_test: row.isTest,
    sequence: row.sequence,
    data: row.data,
    ...besideOf(row.previous ?? {}),
  } as ServiceEvent
}

/** What endpoints get beside `data`: nothing of what only emails need. */
function besideOf(around: NonNullable<EventRow['previous']>) {
  const { start_time, end_time, reason: _reason, host_id: _host, taker_id, end_reason, ...rest } = around
  const { co_host_ids: _hosts, is_quiet: _quiet, is_emailed: _emailed, left: _left, ...others } = rest
  const {
    is_of_session: _session,
    session_bookings: _bookings,
    is_of_series: _series,
    series_bookings: _together,
    ...beside
  } = others
  const isMove = start_time !== undefined && taker_id === undefined
  return {
    ...(isMove && { previous: { start_time, end_time } }),
    ...(end_reason !== undefined && { reason: end_reason }),
    ...beside,
  }
}
