import { and, asc, eq, gt, gte, inArray, isNotNull, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { HOUR_MS } from '../../core/time-units.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { comesAfter } from '../../platform/db/due-page.ts'
import { firstIdOf } from '../../platform/db/ids.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import { cursorOf, inOrder, onPage } from '../../platform/db/list-page.ts'
import { activity, loggedAddresses } from '../../platform/db/schema/records.ts'
import { assertCursor } from '../../platform/http/page.ts'
import type { ActivityQuery } from './schema.ts'

export type ActivityRow = typeof activity.$inferSelect
type LoggedAddress = typeof loggedAddresses.$inferSelect

/** Logs that are looked through at once, and entries of one that are changed at once. */
const LOGS_A_PAGE = 50
const PRUNED_A_BATCH = 500

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
      .orderBy(inOrder(activity.id, query))
      .limit(query.limit + 1),
    db
      .select({ id: activity.id })
      .from(activity)
      .where(and(inTenant(tenant), eq(activity.id, cursorOf(query)))),
  ])
  assertCursor(query, cursor)
  return rows
}

const inTenant = inTenantOf(activity)

/** The wanted rows, along the index that leads to the fewest; a plus keeps the other indexes from being chosen. */
function matches(tenant: Tenant, query: ActivityQuery): SQL | undefined {
  const { action: wanted, resource_type: type, resource_id: resourceId } = query
  const { id, createdAt } = activity
  const isOnPage = onPage({ id, createdAt, mayDiffer: tenant.isTest }, query)
  const is = (column: SQLWrapper, value: string | undefined) =>
    value === undefined ? undefined : eq(column, value)
  if (resourceId !== undefined) {
    return and(
      eq(activity.resourceId, resourceId.toLowerCase()),
      eq(sql`+${activity.organizationId}`, tenant.organizationId),
      eq(sql`+${activity.isTest}`, Number(tenant.isTest)),
      is(sql`+${activity.resourceType}`, type),
      wanted && sql`+${activity.action} IN (SELECT value FROM ${listOf(wanted)})`,
      isOnPage,
    )
  }
  if (wanted === undefined && type === undefined) return and(inTenant(tenant), isOnPage)
  // The index has the type before the action: the one without a filter takes every value that there is.
  const types =
    type === undefined ? valuesOf(activity.resourceType, inTenant(tenant)) : sql`(SELECT ${type} AS value)`
  const actions =
    wanted === undefined
      ? valuesOf(activity.action, and(inTenant(tenant), is(activity.resourceType, type)))
      : listOf(wanted)
  return sql`${inTenant(tenant)} AND ${activity.id} IN (SELECT id FROM ${types} type CROSS JOIN ${actions} action CROSS JOIN activity
    WHERE ${and(inTenant(tenant), isOnPage)} AND resource_type = type.value AND activity.action = action.value
    ORDER BY ${inOrder(sql`id`, query)} LIMIT ${query.limit + 1})`
}

function listOf(values: readonly string[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`
}

/** The few values that a column of many rows has, each found by one step in the index. */
function valuesOf(column: SQLWrapper, among: SQL | undefined): SQL {
  return sql`(WITH RECURSIVE found(value) AS (
      SELECT min(${column}) FROM activity WHERE ${among}
      UNION ALL SELECT (SELECT min(${column}) FROM activity WHERE ${among} AND ${column} > found.value)
      FROM found WHERE found.value IS NOT NULL)
    SELECT value FROM found WHERE value IS NOT NULL)`
}

/** Logs with an address from well before then, those with the oldest first: each comes up once an hour at most. */
export function selectOldAddresses(db: Db, before: number, last?: LoggedAddress) {
  const { organizationId, isTest, firstId } = loggedAddresses
  const isNext = comesAfter(
    [firstId, organizationId, isTest],
    last && [last.firstId, last.organizationId, Number(last.isTest)],
  )
  return db
    .select()
    .from(loggedAddresses)
    .where(and(lt(firstId, firstIdOf(before - HOUR_MS)), isNext))
    .orderBy(asc(firstId), asc(organizationId), asc(isTest))
    .limit(LOGS_A_PAGE)
}

/** The entries of the log stay; their network addresses go, those of a bounded number at once. */
export async function pruneAddresses(db: Db, before: number, { firstId, ...tenant }: LoggedAddress) {
  const { id } = activity
  const old = db
    .select({ id })
    .from(activity)
    .where(and(inTenant(tenant), gte(id, firstId), lt(id, firstIdOf(before))))
    .orderBy(asc(id))
    .limit(PRUNED_A_BATCH)
  const last = sql`coalesce((SELECT max(id) FROM ${old}), ${firstId})`
  const next = db
    .select({ id })
    .from(activity)
    .where(and(inTenant(tenant), gt(id, last)))
    .orderBy(asc(id))
    .limit(1)
  const ofLog = and(
    eq(loggedAddresses.organizationId, tenant.organizationId),
    eq(loggedAddresses.isTest, tenant.isTest),
  )
  await db.batch([
    db
      .update(activity)
      .set({ ipAddress: null })
      .where(and(inTenant(tenant), inArray(id, old), isNotNull(activity.ipAddress))),
    db.delete(loggedAddresses).where(and(ofLog, sql`NOT EXISTS ${next}`)),
    db
      .update(loggedAddresses)
      .set({ firstId: sql`${next}` })
      .where(ofLog),
  ])
}
