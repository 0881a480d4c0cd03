import { formatInstant, formatNullable } from '../../platform/http/instants.ts'
import type { EndpointRow } from './queries.ts'
import type { WebhookEndpoint } from './schema.ts'

export function presentEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    events: [...row.events],
    description: row.description,
    active: row.active,
    verification_status: row.verificationStatus,
    verified_at: formatNullable(row.verifiedAt),
    verification_last_error: row.verificationLastError,
    consecutive_failures: row.consecutiveFailures,
    suspended_at: formatNullable(row.suspendedAt),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}
