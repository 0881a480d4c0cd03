import { and, asc, desc, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Tenant } from '../../../auth/caller.ts'
import type { Db, Statement } from '../../../db/client.ts'
import { comesAfter, DUE_A_PAGE } from '../../../db/due-page.ts'
import { refuseWhen } from '../../../db/refusals.ts'
import { events } from '../../../db/schema/records.ts'
import { webhookDeliveries, webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { notFound } from '../../../http/errors.ts'
import { assertCursor, type PageRequest } from '../../../http/page.ts'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type EndpointRow = typeof webhookEndpoints.$inferSelect

/** Every endpoint that takes events from the side of the organization where event `eventId` happened. */
export function selectListeners(db: Db, eventId: string) {
  const ofEvent = (column: typeof events.organizationId | typeof events.isTest) =>
    sql`(SELECT ${column} FROM ${events} WHERE ${events.id} = ${eventId})`
  return db
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.organizationId, ofEvent(events.organizationId)),
        eq(webhookEndpoints.isTest, ofEvent(events.isTest)),
        eq(webhookEndpoints.active, true),
        eq(webhookEndpoints.verificationStatus, 'verified'),
        isNull(webhookEndpoints.suspendedAt),
      ),
    )
}

export function insertDelivery(db: Db, row: DeliveryRow): Statement {
  return db.insert(webhookDeliveries).values(row).onConflictDoNothing()
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
  page: PageRequest & { readonly status?: DeliveryRow['status'] | undefined },
): Promise<DeliveryRow[]> {
  const { starting_after: after, status } = page
  const isOurs = eq(webhookDeliveries.endpointId, endpointId)
  // Named even where all are wanted, so that their places in the index are found.
  const statuses = status ? [status] : webhookDeliveries.status.enumValues
  const [endpoints, rows, cursor] = await db.batch([
    selectEndpointInTenant(db, tenant, endpointId),
    db
      .select()
      .from(webhookDeliveries)
      .where(
        and(
          isOurs,
          inArray(webhookDeliveries.status, statuses),
          after === undefined ? undefined : lt(webhookDeliveries.id, after),
        ),
      )
      .orderBy(desc(webhookDeliveries.id))
      .limit(page.limit + 1),
    db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(and(isOurs, eq(webhookDeliveries.id, after ?? ''))),
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

/** Lets `again` take the place of a failed delivery; refuses the batch when that one is not failed any more. */
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

/** What the sweep tells the queue again. */
export function selectOverdueDeliveries(
  db: Db,
  before: number,
  last?: Pick<DeliveryRow, 'nextRetryAt' | 'id'>,
) {
  const { id, attempts, nextRetryAt, status } = webhookDeliveries
  const isNext = comesAfter([nextRetryAt, id], last && [last.nextRetryAt, last.id])
  return db
    .select({ id, attempts, nextRetryAt })
    .from(webhookDeliveries)
    .where(and(eq(status, 'pending'), lte(nextRetryAt, before), isNext))
    .orderBy(asc(nextRetryAt), asc(id))
    .limit(DUE_A_PAGE)
}

/** Those that are over, by when they were made. */
export function pruneDeliveries(db: Db, before: number, limit: number) {
  const { id, createdAt } = webhookDeliveries
  const old = db
    .select({ id })
    .from(webhookDeliveries)
    .where(and(sql`status <> 'pending'`, lt(createdAt, before)))
    .orderBy(asc(createdAt))
    .limit(limit)
  return db.delete(webhookDeliveries).where(inArray(id, old)).returning({ id })
}
