import { and, asc, eq, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { HOUR_MS } from '../../../core/time-units.ts'
import type { Db } from '../../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../../platform/db/due-page.ts'
import { webhookDeliveries } from '../../../platform/db/schema/webhooks.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import type { DeliveryRow } from '../deliveries/queries.ts'

const { id, attempts, status, nextRetryAt, tellAgainAt, organizationId } = webhookDeliveries

/** Those that should be under way by now, as whoever made them due told the queue. The sweep has not told of them yet. */
export function selectOverdueDeliveries(
  db: Db,
  before: number,
  last?: Pick<DeliveryRow, 'nextRetryAt' | 'id'>,
) {
  const isNext = comesAfter([nextRetryAt, id], last && [last.nextRetryAt, last.id])
  return selectPending(db, and(isNull(tellAgainAt), lte(nextRetryAt, before), isNext), nextRetryAt)
}

/** Those that the sweep told the queue of, and that are to be told of once more. */
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
 * Has the sweep say nothing more of them for as long as they are overdue, an hour at most: a queue that is behind is not
 * filled with what it holds. What was taken meanwhile is not overdue any more.
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
      ),
    )
}
