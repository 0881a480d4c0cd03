import { and, eq, sql } from 'drizzle-orm'
import { HOUR_MS } from '../../core/time-units.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import type { PageRequest } from '../../platform/db/list-page.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { webhookEndpoints } from '../../platform/db/schema/webhooks.ts'
import { listPage } from '../../platform/http/page.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

export type EndpointRow = typeof webhookEndpoints.$inferSelect

const inTenant = inTenantOf(webhookEndpoints)

export async function findEndpointInTenant(db: Db, tenant: Tenant, id: string): Promise<EndpointRow | null> {
  const [row] = await db
    .select()
    .from(webhookEndpoints)
    .where(and(inTenant(tenant), eq(webhookEndpoints.id, id)))
  return row ?? null
}

/** One row more than the page holds, newest first. */
export function listEndpointsInTenant(db: Db, tenant: Tenant, page: PageRequest): Promise<EndpointRow[]> {
  const list = { table: webhookEndpoints, all: inTenant(tenant), mayDiffer: tenant.isTest }
  return listPage(db, db.select().from(webhookEndpoints), list, page)
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

/** How often an endpoint can be challenged in an hour, so that receivers who want no events are not called forever. */
export const CHALLENGES_AN_HOUR = 5

/** Counts a challenge that is about to be sent. Returns null, or when the next one is allowed. */
export async function noteChallenge(db: Db, id: string, now: RealMs): Promise<number | null> {
  const recent = sql`FROM json_each(${webhookEndpoints.challengedAt}) WHERE value > ${now - HOUR_MS}`
  const [noted, [rest]] = await db.batch([
    db
      .update(webhookEndpoints)
      .set({ challengedAt: sql`json_insert((SELECT json_group_array(value) ${recent}), '$[#]', ${now})` })
      .where(and(eq(webhookEndpoints.id, id), sql`(SELECT count(*) ${recent}) < ${CHALLENGES_AN_HOUR}`))
      .returning({ id: webhookEndpoints.id }),
    db
      .select({ oldest: sql<number>`(SELECT min(value) ${recent})`.as('oldest') })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, id)),
  ])
  return noted.length === 1 || !rest ? null : rest.oldest + HOUR_MS
}
