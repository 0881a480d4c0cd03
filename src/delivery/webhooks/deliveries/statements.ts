import { type SQL, sql } from 'drizzle-orm'
import { MINUTE_MS } from '../../../core/time-units.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { firstIdOf, instantOf } from '../../../platform/db/ids.ts'
import { LEASE_MS } from '../../../platform/db/leases.ts'
import { preparedQuery, preparedStatement } from '../../../platform/db/prepared.ts'
import type { webhookDeliveries } from '../../../platform/db/schema/webhooks.ts'

type Row = typeof webhookDeliveries.$inferSelect

/** Whether no attempt of a due delivery runs. */
export function isUnclaimed(now: number): SQL {
  return sql`(last_attempt_at IS NULL OR last_attempt_at < next_retry_at OR last_attempt_at <= ${now - LEASE_MS.delivery})`
}

/** The previous Worker's deliveries have ids of their own: they are looked for among those made within so long of the event. */
const FOUND_WITHIN_MS = 10 * MINUTE_MS

/** The deliveries of event `?1`, up to the id `?2`. */
const OF_EVENT = `status IN ('pending', 'success', 'failed', 'retried') AND id >= substr(?1, 1, 13) AND id < ?2 AND event_id = ?1
  AND retry_of IS NULL`

function endOf(eventId: string): string {
  return firstIdOf(instantOf(eventId) + FOUND_WITHIN_MS)
}

const delivered = preparedQuery<
  { readonly endpointIds: readonly string[] },
  readonly [eventId: string, end: string, endpointIds: string]
>(
  `SELECT json_group_array(endpoint_id) AS ids FROM webhook_deliveries
   WHERE endpoint_id IN (SELECT value FROM json_each(?3)) AND ${OF_EVENT}`,
  ({ ids }: { ids: string }) => ({ endpointIds: JSON.parse(ids) as string[] }),
)

/** Which of the endpoints have a delivery of the event, in one row. Another Worker may have given it another id. */
export function selectDelivered(db: Db, eventId: string, endpointIds: readonly string[]): Statement {
  return delivered(db, eventId, endOf(eventId), JSON.stringify(endpointIds))
}

const insertUnhandled = preparedStatement<
  readonly [
    eventId: string,
    end: string,
    id: string,
    endpointId: string,
    payload: string,
    status: string,
    begunAt: number | null,
    nextRetryAt: number | null,
    statusCode: number | null,
    body: string | null,
  ]
>(
  `INSERT INTO webhook_deliveries (id, organization_id, is_test, endpoint_id, event_id, event_kind, payload, status, attempts,
     last_attempt_at, next_retry_at, response_status_code, response_body, created_at)
   SELECT ?3, organization_id, is_test, ?4, id, kind, ?5, ?6, 1, ?7, ?8, ?9, ?10, created_at FROM events
   WHERE id = ?1 AND handled_at IS NULL AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = ?4 AND ${OF_EVENT})`,
)

/** A delivery with its first attempt, unless its event was handled or erased since that began, or another Worker made one. */
export function insertAttempted(db: Db, row: Row): Statement {
  const { id, endpointId, eventId, payload, status, lastAttemptAt, nextRetryAt } = row
  const { responseStatusCode: code, responseBody: body } = row
  const times = [lastAttemptAt, nextRetryAt] as const
  return insertUnhandled(db, eventId, endOf(eventId), id, endpointId, payload, status, ...times, code, body)
}

/** One delivery arrived: those that failed before it count no more. */
export const endFailures = preparedStatement<readonly [endpointId: string]>(
  'UPDATE webhook_endpoints SET consecutive_failures = 0 WHERE id = ?1 AND consecutive_failures <> 0',
)
