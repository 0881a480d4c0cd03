import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db } from '../../db/client.ts'
import { activity } from '../../db/schema/records.ts'
import { assertCursor } from '../../http/page.ts'
import type { ActivityQuery } from './schema.ts'

export type ActivityRow = typeof activity.$inferSelect

/** One row more than the page holds, newest first. */
export async function listActivityInTenant(
  db: Db,
  { organizationId, isTest }: Tenant,
  query: ActivityQuery,
): Promise<ActivityRow[]> {
  const { action, resource_type: type, resource_id: resourceId, starting_after: after } = query
  const inTenant = and(eq(activity.organizationId, organizationId), eq(activity.isTest, isTest))
  const [rows, cursor] = await db.batch([
    db
      .select()
      .from(activity)
      .where(
        and(
          inTenant,
          action === undefined ? undefined : eq(activity.action, action),
          type === undefined ? undefined : eq(activity.resourceType, type),
          resourceId === undefined ? undefined : eq(activity.resourceId, resourceId.toLowerCase()),
          after === undefined ? undefined : lt(activity.id, after),
        ),
      )
      .orderBy(desc(activity.id))
      .limit(query.limit + 1),
    db
      .select({ id: activity.id })
      .from(activity)
      .where(and(inTenant, eq(activity.id, after ?? ''))),
  ])
  assertCursor(query, cursor)
  return rows
}

/** The entries stay, and from where it was done goes. */
export function pruneAddresses(db: Db, before: number, limit: number) {
  const { id, createdAt } = activity
  const old = db
    .select({ id })
    .from(activity)
    .where(and(sql`ip_address IS NOT NULL`, lt(createdAt, before)))
    .orderBy(asc(createdAt))
    .limit(limit)
  return db.update(activity).set({ ipAddress: null }).where(inArray(id, old)).returning({ id })
}
