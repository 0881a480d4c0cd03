import { formatInstant, formatNullable } from '../../../platform/http/instants.ts'
import { dueAt } from './lease.ts'
import type { DeliveryRow } from './queries.ts'
import type { WebhookDelivery } from './schema.ts'

export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    webhook_endpoint_id: row.endpointId,
    event_id: row.eventId,
    event_type: row.eventKind,
    payload: JSON.parse(row.payload) as WebhookDelivery['payload'],
    status: row.status,
    attempts: row.attempts,
    last_attempt_at: formatNullable(row.lastAttemptAt),
    response_status_code: row.responseStatusCode,
    response_body: row.responseBody,
    next_retry_at: formatNullable(dueAt(row)),
    retry_of: row.retryOf,
    created_at: formatInstant(row.createdAt),
  }
}
