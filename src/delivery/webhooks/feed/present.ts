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

/** What endpoints get beside `data`: nothing of what only emails and jobs need. */
function besideOf(around: NonNullable<EventRow['previous']>) {
  const { start_time, end_time, taker_id, end_reason } = around
  const { changed, previous_host, unassigned, event_start, event_end } = around
  const isMove = start_time !== undefined && taker_id === undefined
  return {
    ...(isMove && { previous: { start_time, end_time } }),
    ...(end_reason !== undefined && { reason: end_reason }),
    ...(changed && { changed }),
    ...(previous_host !== undefined && { previous_host }),
    ...(unassigned && { unassigned }),
    ...(event_start !== undefined && { event_start, event_end }),
  }
}
