import { LEASE_MS } from '../../../platform/db/leases.ts'
import type { webhookDeliveries } from '../../../platform/db/schema/webhooks.ts'

/*
 * An attempt runs if it began when the delivery was due or later. So a claim notes when that was and changes no index.
 */

type Row = typeof webhookDeliveries.$inferSelect

/** When the next attempt may begin: while one runs, when that counts as lost. Null if the delivery is finished. */
export function dueAt({
  lastAttemptAt,
  nextRetryAt,
}: Pick<Row, 'lastAttemptAt' | 'nextRetryAt'>): number | null {
  if (nextRetryAt === null || lastAttemptAt === null || lastAttemptAt < nextRetryAt) return nextRetryAt
  return lastAttemptAt + LEASE_MS.delivery
}
