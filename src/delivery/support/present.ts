import { formatInstant } from '../../platform/http/instants.ts'
import type { SupportRequestRow } from './queries.ts'
import type { SupportRequest } from './schema.ts'

export function presentSupportRequest(row: SupportRequestRow): SupportRequest {
  return {
    id: row.id,
    subject: row.subject,
    message: row.message,
    category: row.category,
    status: row.status,
    created_at: formatInstant(row.createdAt),
  }
}
