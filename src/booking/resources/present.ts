import type { ResourceRow } from '../../platform/db/schema/resources.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { Resource } from './schema.ts'

export function presentResource(row: ResourceRow): Resource {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    quantity: row.quantity,
    schedule_id: row.scheduleId,
    notes: row.notes,
    active: row.active,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}
