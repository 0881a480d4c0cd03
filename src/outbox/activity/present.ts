import { formatInstant } from '../../platform/http/instants.ts'
import type { ActivityRow } from './queries.ts'
import type { ActivityEntry } from './schema.ts'

export function presentActivity(row: ActivityRow): ActivityEntry {
  return {
    id: row.id,
    actor_type: row.actorType,
    actor_id: row.actorId,
    action: row.action,
    resource_type: row.resourceType,
    resource_id: row.resourceId,
    changes: row.changes,
    ip_address: row.ipAddress,
    request_id: row.requestId,
    is_test: row.isTest,
    created_at: formatInstant(row.createdAt),
  }
}
