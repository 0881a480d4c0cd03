import { and, asc, desc, eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db } from '../../db/client.ts'
import { activity } from '../../db/schema/records.ts'
import { assertCursor } from '../../http/page.ts'
import type { ActivityQuery } from './schema.ts'

export type ActivityRow = typeof activity.$inferSelect

/** One row more than the page holds, newest first. */
export async function listActivityInTenant(
  db: Db,
  tenant: Tenant,
  query: ActivityQuery,
): Promise<ActivityRow[]> {
  const [rows, cursor] = await db.batch([
    db
      .select()
      .from(activity)
      .where(matches(tenant, query))
      .orderBy(desc(activity.id))
      .limit(query.limit + 1),
    db
      .select({ id: activity.id })
      .from(activity)
      .where(and(inTenant(tenant), eq(activity.id, query.starting_after ?? ''))),
  ])
  assertCursor(query, cursor)
  return rows
}

function inTenant({ organizationId, isTest }: Tenant) {
  return and(eq(activity.organizationId, organizationId), eq(activity.isTest, isTest))
}

/** The wanted rows, along the index that leads to the fewest; a plus keeps the other indexes from being chosen. */
function matches(tenant: Tenant, query: ActivityQuery): SQL | undefined {
  const { action, resource_type: type, resource_id: resourceId, starting_after: after } = query
  const isOlder = after === undefined ? undefined : lt(activity.id, after)
  const is = (column: SQLWrapper, value: string | undefined) =>
    value === undefined ? undefined : eq(column, value)
  if (resourceId !== undefined) {
    return and(
      eq(activity.resourceId, resourceId.toLowerCase()),
      eq(sql`+${activity.organizationId}`, tenant.organizationId),
      eq(sql`+${activity.isTest}`, Number(tenant.isTest)),
      is(sql`+${activity.resourceType}`, type),
      is(sql`+${activity.action}`, action),
      isOlder,
    )
  }
  if (action === undefined && type === undefined) return and(inTenant(tenant), isOlder)
  // The index has the type before the action: the one without a filter takes every value that there is.
  const types =
    type === undefined ? valuesOf(activity.resourceType, inTenant(tenant)) : sql`(SELECT ${type} AS value)`
  const actions =
    action === undefined
      ? valuesOf(activity.action, and(inTenant(tenant), is(activity.resourceType, type)))
      : sql`(SELECT ${action} AS value)`
  return sql`${inTenant(tenant)} AND ${activity.id} IN (SELECT id FROM ${types} type CROSS JOIN ${actions} action CROSS JOIN activity
    WHERE ${and(inTenant(tenant), isOlder)} AND resource_type = type.value AND activity.action = action.value
    ORDER BY id DESC LIMIT ${query.limit + 1})`
}

/** The few values that a column of many rows has, each found by one step in the index. */
function valuesOf(column: SQLWrapper, among: SQL | undefined): SQL {
  return sql`(WITH RECURSIVE found(value) AS (
      SELECT min(${column}) FROM activity WHERE ${among}
      UNION ALL SELECT (SELECT min(${column}) FROM activity WHERE ${among} AND ${column} > found.value)
      FROM found WHERE found.value IS NOT NULL)
    SELECT value FROM found WHERE value IS NOT NULL)`
}

/** The entries stay; their network addresses go. */
export function pruneAddresses(db: Db, before: number, limit: number) {
  const { organizationId, isTest, id, createdAt } = activity
  const old = db
    .select({ organizationId, isTest, id })
    .from(activity)
    .where(and(sql`ip_address IS NOT NULL`, lt(createdAt, before)))
    .orderBy(asc(createdAt))
    .limit(limit)
  return db
    .update(activity)
    .set({ ipAddress: null })
    .where(sql`(${organizationId}, ${isTest}, ${id}) IN ${old}`)
    .returning({ id })
}
