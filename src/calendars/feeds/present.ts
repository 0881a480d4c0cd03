import { formatInstant } from '../../platform/http/instants.ts'
import type { ListedFeed } from './queries.ts'
import type { CalendarFeed } from './schema.ts'

export function presentFeed(row: ListedFeed): CalendarFeed {
  const { id, memberId, createdByType: type, createdById, makerName, createdAt } = row
  return {
    id,
    member_id: memberId,
    created_by: type && { type, id: createdById, name: makerName },
    created_at: formatInstant(createdAt),
  }
}
