import { and, asc, eq, inArray, isNotNull, lt, lte, ne, type SQL, sql } from 'drizzle-orm'
import { recordActivityWhen } from '../../../outbox/activity/statements.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { deleteOld } from '../../../platform/db/delete-old.ts'
import { staysHere } from '../../../platform/db/due-page.ts'
import { firstIdOf } from '../../../platform/db/ids.ts'
import { cursorOf, inOrder, onPage, type PageRequest } from '../../../platform/db/list-page.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { webhookDeliveries, webhookEndpoints } from '../../../platform/db/schema/webhooks.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { assertCursor } from '../../../platform/http/page.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { isUnclaimed } from './statements.ts'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type EndpointRow = typeof webhookEndpoints.$inferSelect

/** Where a delivery is sent, and what signs it. */
export type Receiver = Pick<EndpointRow, 'url' | 'secret' | 'previousSecret' | 'previousSecretExpiresAt'>

/** An endpoint that receives events. */
export type Listener = Receiver & Pick<EndpointRow, 'id' | 'events'>

/** Answers with the id, unless the event has its delivery to the endpoint already. */
export function insertDelivery(db: Db, row: DeliveryRow): Statement {
  return db
    .insert(webhookDeliveries)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: webhookDeliveries.id })
}

function selectEndpointInTenant(db: Db, { organizationId, isTest }: Tenant, id: string) {
  return db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.id, id),
        eq(webhookEndpoints.organizationId, organizationId),
        eq(webhookEndpoints.isTest, isTest),
      ),
    )
}

/** One row more than the page holds, newest first. */
export async function listDeliveriesInTenant(
  db: Db,
  tenant: Tenant,
  endpointId: string,
  page: PageRequest & { readonly status?: readonly DeliveryRow['status'][] | undefined },
): Promise<DeliveryRow[]> {
  const { status } = page
  const isOurs = eq(webhookDeliveries.endpointId, endpointId)
  // Named even where all values are wanted, so that the index is used.
  const statuses = status ?? webhookDeliveries.status.enumValues
  const [endpoints, rows, cursor] = await db.batch([
    selectEndpointInTenant(db, tenant, endpointId),
    db
      .select()
      .from(webhookDeliveries)
      .where(
        and(
          isOurs,
          inArray(webhookDeliveries.status, [...statuses]),
          onPage(
            { id: webhookDeliveries.id, createdAt: webhookDeliveries.createdAt, mayDiffer: tenant.isTest },
            page,
          ),
        ),
      )
      .orderBy(inOrder(webhookDeliveries.id, page))
      .limit(page.limit + 1),
    db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(and(isOurs, eq(webhookDeliveries.id, cursorOf(page)))),
  ])
  if (endpoints.length === 0) throw notFound('webhook endpoint')
  assertCursor(page, cursor)
  return rows
}

export async function getDeliveryInTenant(
  db: Db,
  tenant: Tenant,
  endpointId: string,
  id: string,
): Promise<DeliveryRow> {
  const [endpoints, [row]] = await db.batch([
    selectEndpointInTenant(db, tenant, endpointId),
    db
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.id, id))),
  ])
  if (endpoints.length === 0) throw notFound('webhook endpoint')
  if (!row) throw notFound('delivery')
  return row
}

/** Replaces a failed delivery with `again`; refuses the batch if it is no longer failed. */
export function replaceFailedDelivery(db: Db, failedId: string, again: DeliveryRow): Statement[] {
  const isOther = sql`NOT EXISTS (
    SELECT 1 FROM webhook_deliveries WHERE id = ${failedId} AND status = 'failed'
  )`
  return [
    refuseWhen(db, 'STALE', isOther),
    db.update(webhookDeliveries).set({ status: 'retried' }).where(eq(webhookDeliveries.id, failedId)),
    db.insert(webhookDeliveries).values(again),
  ]
}

/** Finished deliveries. Ids sort by the time they were made. */
export function pruneDeliveries(db: Db, before: number, limit: number) {
  const { id } = webhookDeliveries
  const old = db
    .select({ id })
    .from(webhookDeliveries)
    .where(and(sql`status <> 'pending'`, lt(id, firstIdOf(before))))
    .orderBy(asc(id))
    .limit(limit)
  return deleteOld(db, webhookDeliveries, [id], old)
}

/**
 * Claims attempt number `attempt` of a delivery if it is due and not claimed, in one round trip. `delivery` is its earlier
 * state; `isTaken` says whether the caller must make the attempt, within its lease.
 */
export async function claimAttempt(db: Db, id: string, attempt: number, now: RealMs) {
  const [[delivery], [endpoint], taken] = await db.batch([
    db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)),
    db
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, sql`(SELECT endpoint_id FROM webhook_deliveries WHERE id = ${id})`)),
    db
      .update(webhookDeliveries)
      .set({ attempts: attempt, lastAttemptAt: now })
      .where(
        and(
          eq(webhookDeliveries.id, id),
          eq(webhookDeliveries.status, 'pending'),
          eq(webhookDeliveries.attempts, attempt - 1),
          lte(webhookDeliveries.nextRetryAt, now),
          isUnclaimed(now),
          staysHere(webhookDeliveries.organizationId),
        ),
      )
      .returning({ id: webhookDeliveries.id }),
    // Separately, because naming an index's column writes the index again, even if the value stays.
    db
      .update(webhookDeliveries)
      .set({ tellAgainAt: null })
      .where(
        and(
          eq(webhookDeliveries.id, id),
          eq(webhookDeliveries.attempts, attempt),
          eq(webhookDeliveries.lastAttemptAt, now),
          isNotNull(webhookDeliveries.tellAgainAt),
        ),
      ),
  ])
  return { delivery: delivery ?? null, endpoint: endpoint ?? null, isTaken: taken.length === 1 }
}

export type AttemptResult = Pick<
  DeliveryRow,
  'status' | 'responseStatusCode' | 'responseBody' | 'nextRetryAt'
>

/** What the end of a delivery means for its endpoint. `gone`: it must never be called again. */
export type EndpointEffect = 'none' | 'arrived' | 'failed' | 'gone'

/** The number of consecutive failed deliveries that suspends an endpoint. */
const FAILURES_TO_SUSPEND = 20

/**
 * Stores the result of attempt number `attempt` and its effect on the endpoint. If the attempt was already marked as lost,
 * only a success still counts.
 */
export function settleAttempt(
  db: Db,
  delivery: Pick<DeliveryRow, 'id' | 'endpointId' | 'organizationId' | 'isTest'>,
  attempt: number,
  result: AttemptResult,
  effect: EndpointEffect,
  now: RealMs,
): Statement[] {
  const { id } = delivery
  // A status that stays is not named: it would write its index again.
  const { status, ...rest } = result
  const isCurrent = result.status === 'success' ? sql`1` : sql`attempts = ${attempt}`
  const isOpen = sql`EXISTS (
    SELECT 1 FROM webhook_deliveries WHERE id = ${id} AND status = 'pending' AND ${isCurrent}
  )`
  return [
    ...effectOn(db, delivery, effect, isOpen, now),
    db
      .update(webhookDeliveries)
      .set({ ...(status === 'pending' ? rest : result), tellAgainAt: null })
      .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.status, 'pending'), isCurrent)),
  ]
}

function effectOn(
  db: Db,
  { endpointId: id, ...tenant }: Pick<DeliveryRow, 'endpointId' | 'organizationId' | 'isTest'>,
  effect: EndpointEffect,
  isOpen: SQL,
  now: RealMs,
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

/** Marks a delivery as failed if its attempt number `attempt` was never claimed. */
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
