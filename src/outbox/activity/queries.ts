import { and, asc, desc, eq, gte, isNotNull, lt, lte, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { HOUR_MS } from '../../core/time-units.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { comesAfter } from '../../platform/db/due-page.ts'
import { firstIdOf } from '../../platform/db/ids.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import { cursorOf, inOrder, onPage } from '../../platform/db/list-page.ts'
import { memberName } from '../../platform/db/member-name.ts'
import { preparedQuery, preparedStatement } from '../../platform/db/prepared.ts'
import { members } from '../../platform/db/schema/organizations.ts'
import { activity, loggedAddresses } from '../../platform/db/schema/records.ts'
import { bookedIds, clearBookedAddresses } from './bookings/statements.ts'
import type { ActivityQuery } from './schema.ts'

export type ActivityRow = typeof activity.$inferSelect
type LoggedAddress = typeof loggedAddresses.$inferSelect

/** Logs that are looked through at once, and entries of one that are changed at once. */
const LOGS_A_PAGE = 50
const PRUNED_A_BATCH = 500

/** One row more than the page holds, newest first. */
export function selectActivity(db: Db, tenant: Tenant, query: ActivityQuery) {
  return db
    .select()
    .from(activity)
    .where(matches(tenant, query))
    .orderBy(inOrder(activity.id, query))
    .limit(query.limit + 1)
}

/** Whether the entry that a page begins or ends at is a row. */
export function selectCursor(db: Db, tenant: Tenant, query: ActivityQuery) {
  return db
    .select({ id: activity.id })
    .from(activity)
    .where(and(inTenant(tenant), eq(activity.id, cursorOf(query))))
}

const inTenant = inTenantOf(activity)

/** The last change of something, with the name of the member or the key that made it. */
export function selectLastChange(db: Db, tenant: Tenant, resourceId: string) {
  const { actorType, actorId } = activity
  const key = sql`(SELECT name FROM api_keys WHERE id = ${actorId})`
  const member = sql`(SELECT ${memberName()} FROM ${members}
    WHERE ${members.organizationId} = ${tenant.organizationId} AND ${members.userId} = ${actorId})`
  return db
    .select({
      actorType,
      name: sql<
        string | null
      >`CASE ${actorType} WHEN 'api_key' THEN ${key} WHEN 'user' THEN ${member} END`.as('name'),
    })
    .from(activity)
    .where(
      and(
        eq(activity.resourceId, resourceId),
        eq(sql`+${activity.organizationId}`, tenant.organizationId),
        eq(sql`+${activity.isTest}`, Number(tenant.isTest)),
      ),
    )
    .orderBy(desc(activity.id))
    .limit(1)
}

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

const AGED = `SELECT id FROM (
    SELECT * FROM (SELECT id FROM activity WHERE organization_id = ?1 AND is_test = ?2 AND id >= ?3 AND id < ?4
      ORDER BY id LIMIT ${PRUNED_A_BATCH})
    UNION ALL SELECT * FROM (${bookedIds('?2 = 0 AND id >= ?3 AND id < ?4', PRUNED_A_BATCH)}))
  ORDER BY id LIMIT ${PRUNED_A_BATCH}`

/** The last of the next entries whose addresses are to be removed. */
const selectLastAged = preparedQuery<
  { readonly last: string | null },
  readonly [organizationId: string, isTest: number, first: string, before: string]
>(`SELECT max(id) AS last FROM (${AGED})`)

/** Where the log goes on after an entry. */
const NEXT = `SELECT min(id) FROM (
  SELECT min(id) AS id FROM activity WHERE organization_id = ?1 AND is_test = ?2 AND id > ?3
  UNION ALL SELECT * FROM (${bookedIds('?2 = 0 AND id > ?3', 1)}))`

const endLog = preparedStatement<readonly [organizationId: string, isTest: number, last: string]>(
  `DELETE FROM logged_addresses WHERE organization_id = ?1 AND is_test = ?2 AND (${NEXT}) IS NULL`,
)

const moveLogOn = preparedStatement<readonly [organizationId: string, isTest: number, last: string]>(
  `UPDATE logged_addresses SET first_id = (${NEXT}) WHERE organization_id = ?1 AND is_test = ?2`,
)

/** The entries of the log stay; their network addresses go, those of a bounded number at once. */
export async function pruneAddresses(db: Db, before: number, { firstId, ...tenant }: LoggedAddress) {
  const { organizationId } = tenant
  const isTest = Number(tenant.isTest)
  const [aged] = await selectLastAged(db, organizationId, isTest, firstId, firstIdOf(before))
  const last = aged?.last ?? firstId
  const { id } = activity
  await db.batch([
    db
      .update(activity)
      .set({ ipAddress: null })
      .where(and(inTenant(tenant), gte(id, firstId), lte(id, last), isNotNull(activity.ipAddress))),
    ...(tenant.isTest ? [] : [clearBookedAddresses(db, organizationId, firstId, last)]),
    endLog(db, organizationId, isTest, last),
    moveLogOn(db, organizationId, isTest, last),
  ])
}
