import type { EventRow, Previous } from '../../../platform/db/schema/records.ts'
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
    ...(row.previous && { previous: timesOf(row.previous) }),
  } as ServiceEvent
}

function timesOf({ start_time, end_time }: Previous) {
  return { start_time, end_time }
}
