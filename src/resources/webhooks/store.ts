import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import { refuseWhen } from '../../db/refusals.ts'
import { webhookEndpoints } from '../../db/schema/webhooks.ts'
import { assertCursor, type PageRequest } from '../../http/page.ts'

export type EndpointRow = typeof webhookEndpoints.$inferSelect

function inTenant({ organizationId, isTest }: Tenant) {
  return and(eq(webhookEndpoints.organizationId, organizationId), eq(webhookEndpoints.isTest, isTest))
}

export async function findEndpointInTenant(db: Db, tenant: Tenant, id: string): Promise<EndpointRow | null> {
  const [row] = await db
    .select()
    .from(webhookEndpoints)
    .where(and(inTenant(tenant), eq(webhookEndpoints.id, id)))
  return row ?? null
}

/** One row more than the page holds, newest first. */
export async function listEndpointsInTenant(
  db: Db,
  tenant: Tenant,
  page: PageRequest,
): Promise<EndpointRow[]> {
  const after = page.starting_after
  const [rows, cursor] = await db.batch([
    db
      .select()
      .from(webhookEndpoints)
      .where(and(inTenant(tenant), after === undefined ? undefined : lt(webhookEndpoints.id, after)))
      .orderBy(desc(webhookEndpoints.id))
      .limit(page.limit + 1),
    db
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(and(inTenant(tenant), eq(webhookEndpoints.id, after ?? ''))),
  ])
  assertCursor(page, cursor)
  return rows
}

export async function countEndpointsInTenant(db: Db, tenant: Tenant): Promise<number> {
  return db.$count(webhookEndpoints, inTenant(tenant))
}

export function insertEndpoint(db: Db, row: EndpointRow): Statement {
  return db.insert(webhookEndpoints).values(row)
}

/** Changes an endpoint whose `url` and secret are still as they were read; else the whole batch is refused. */
export function updateEndpointAsRead(
  db: Db,
  { id, url, secret }: EndpointRow,
  changes: Partial<EndpointRow>,
): Statement[] {
  const isChanged = sql`NOT EXISTS (
    SELECT 1 FROM webhook_endpoints WHERE id = ${id} AND url = ${url} AND secret = ${secret}
  )`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db.update(webhookEndpoints).set(changes).where(eq(webhookEndpoints.id, id)),
  ]
}

export function deleteEndpoint(db: Db, id: string): Statement {
  return db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id))
}
