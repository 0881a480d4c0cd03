import { formatInstant } from '../../http/instants.ts'
import type { FeedRow } from './queries.ts'
import type { CalendarFeed } from './schema.ts'

export function presentFeed({ id, memberId, createdAt }: FeedRow): CalendarFeed {
  return { id, member_id: memberId, created_at: formatInstant(createdAt) }
}
