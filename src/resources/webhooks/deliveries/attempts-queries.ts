import { and, eq, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../db/client.ts'
import { webhookDeliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { recordActivityWhen } from '../../activity/statements.ts'
import type { DeliveryRow } from './queries.ts'

/**
 * Takes attempt number `attempt` of a delivery if it is due and nobody took it, in one round trip: `delivery`
 * is as it was before, `isTaken` says whether the attempt is the caller's to make before `until`.
 */
export async function claimAttempt(db: Db, id: string, attempt: number, now: number, until: number) {
  const [[delivery], [endpoint], taken] = await db.batch([
    db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)),
    db
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, sql`(SELECT endpoint_id FROM webhook_deliveries WHERE id = ${id})`)),
    db
      .update(webhookDeliveries)
      .set({ attempts: attempt, lastAttemptAt: now, nextRetryAt: until })
      .where(
        and(
          eq(webhookDeliveries.id, id),
          eq(webhookDeliveries.status, 'pending'),
          eq(webhookDeliveries.attempts, attempt - 1),
          lte(webhookDeliveries.nextRetryAt, now),
        ),
      )
      .returning({ id: webhookDeliveries.id }),
  ])
  return { delivery: delivery ?? null, endpoint: endpoint ?? null, isTaken: taken.length === 1 }
}

export type AttemptResult = Pick<
  DeliveryRow,
  'status' | 'responseStatusCode' | 'responseBody' | 'nextRetryAt'
>

/** What the end of a delivery means for its endpoint. `gone`: it asked never to be called again. */
export type EndpointEffect = 'none' | 'arrived' | 'failed' | 'gone'

/** Given up deliveries in a row after which nothing more is sent. */
const FAILURES_TO_SUSPEND = 20

/**
 * Writes down how attempt number `attempt` ended and what that means for the endpoint. When the attempt was
 * given up for lost meanwhile, only news of its success still counts.
 */
export function settleAttempt(
  db: Db,
  delivery: Pick<DeliveryRow, 'id' | 'endpointId' | 'organizationId' | 'isTest'>,
  attempt: number,
  result: AttemptResult,
  effect: EndpointEffect,
  now: number,
): Statement[] {
  const { id } = delivery
  const isCurrent = result.status === 'success' ? sql`1` : sql`attempts = ${attempt}`
  const isOpen = sql`EXISTS (
    SELECT 1 FROM webhook_deliveries WHERE id = ${id} AND status = 'pending' AND ${isCurrent}
  )`
  return [
    ...effectOn(db, delivery, effect, isOpen, now),
    db
      .update(webhookDeliveries)
      .set(result)
      .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.status, 'pending'), isCurrent)),
  ]
}

function effectOn(
  db: Db,
  { endpointId: id, ...tenant }: Pick<DeliveryRow, 'endpointId' | 'organizationId' | 'isTest'>,
  effect: EndpointEffect,
  isOpen: SQL,
  now: number,
): Statement[] {
  const isThis = and(eq(webhookEndpoints.id, id), isOpen)
  switch (effect) {
    case 'none':
      return []
    case 'arrived':
      return [
        db
          .update(webhookEndpoints)
          .set({ consecutiveFailures: 0 })
          .where(and(isThis, ne(webhookEndpoints.consecutiveFailures, 0))),
      ]
    case 'failed':
    case 'gone': {
      const failures = sql`consecutive_failures + 1`
      const isSuspended = sql`suspended_at IS NULL AND ${failures} >= ${FAILURES_TO_SUSPEND}`
      const endpoint = sql`FROM webhook_endpoints WHERE id = ${id} AND ${isOpen}`
      const log = (action: string, condition: SQL) =>
        recordActivityWhen(
          db,
          tenant,
          { action, resourceType: 'webhook_endpoint', resourceId: id },
          sql`EXISTS (SELECT 1 ${endpoint} AND ${condition})`,
        )
      return [
        log('webhook_endpoint.suspended', isSuspended),
        ...(effect === 'gone' ? [log('webhook_endpoint.deactivated', sql`active`)] : []),
        db
          .update(webhookEndpoints)
          .set({
            consecutiveFailures: failures,
            suspendedAt: sql`CASE WHEN ${isSuspended} THEN ${now} ELSE suspended_at END`,
            ...(effect === 'gone' && { active: false }),
            updatedAt: now,
          })
          .where(isThis),
      ]
    }
  }
}

/** Gives up a delivery whose attempt number `attempt` nobody took. */
export function failUntaken(db: Db, id: string, attempt: number): Statement {
  return db
    .update(webhookDeliveries)
    .set({ status: 'failed', nextRetryAt: null })
    .where(
      and(
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.status, 'pending'),
        eq(webhookDeliveries.attempts, attempt - 1),
      ),
    )
}
