import { and, asc, eq, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { HOUR_MS } from '../../../core/time-units.ts'
import type { Db } from '../../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../../platform/db/due-page.ts'
import { webhookDeliveries } from '../../../platform/db/schema/webhooks.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import type { DeliveryRow } from '../deliveries/queries.ts'
import { isUnclaimed } from '../deliveries/statements.ts'

const { id, attempts, status, nextRetryAt, tellAgainAt, organizationId } = webhookDeliveries

/** Overdue deliveries that the sweep has not enqueued yet. Whatever made them due should have enqueued them. */
export function selectOverdueDeliveries(
  db: Db,
  before: number,
  last?: Pick<DeliveryRow, 'nextRetryAt' | 'id'>,
) {
  const isNext = comesAfter([nextRetryAt, id], last && [last.nextRetryAt, last.id])
  return selectPending(db, and(isNull(tellAgainAt), lte(nextRetryAt, before), isNext), nextRetryAt)
}

/** Deliveries that the sweep enqueued and must enqueue again. */
export function selectToldDeliveries(db: Db, now: number, last?: Pick<DeliveryRow, 'tellAgainAt' | 'id'>) {
  const isNext = comesAfter([tellAgainAt, id], last && [last.tellAgainAt, last.id])
  return selectPending(db, and(isNotNull(tellAgainAt), lte(tellAgainAt, now), isNext), tellAgainAt)
}

function selectPending(db: Db, isMeant: SQL | undefined, order: SQLiteColumn) {
  return db
    .select({ id, attempts, nextRetryAt, tellAgainAt })
    .from(webhookDeliveries)
    .where(and(eq(status, 'pending'), isMeant, staysHere(organizationId)))
    .orderBy(asc(order), asc(id))
    .limit(DUE_A_PAGE)
}

const LONGEST_PAUSE_MS = HOUR_MS

/**
 * Keeps the sweep from enqueueing them again for as long as they have been overdue, at most an hour, so that a slow queue
 * does not fill up. Deliveries that were claimed since then are no longer overdue.
 */
export async function putOffDeliveries(db: Db, ids: readonly string[], now: RealMs): Promise<void> {
  // Numbers are bound as if they had a fraction.
  const pauseEnds = sql`CAST(${now} + min(${now} - ${nextRetryAt}, ${LONGEST_PAUSE_MS}) AS INTEGER)`
  await db
    .update(webhookDeliveries)
    .set({ tellAgainAt: pauseEnds })
    .where(
      and(
        sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        eq(status, 'pending'),
        lt(nextRetryAt, now),
        isUnclaimed(now),
      ),
    )
}
