import { formatInstant } from '../../platform/http/instants.ts'
import type { DeletionRow } from './queries.ts'
import type { Deletion } from './schema.ts'

export function presentDeletion(row: DeletionRow): Deletion {
  return {
    organization_id: row.organizationId,
    status: row.begunAt === null ? 'scheduled' : 'deleting',
    requested_by: row.requestedBy,
    moved: row.kind === 'moved',
    requested_at: formatInstant(row.requestedAt),
    deletes_at: formatInstant(row.deletesAt),
  }
}
