import { and, asc, eq, getTableColumns, isNull, lt, sql } from 'drizzle-orm'
import { memberNamed } from '../../outbox/makers/statements.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { deleteOld } from '../../platform/db/delete-old.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import type { PageRequest } from '../../platform/db/list-page.ts'
import { apiKeys } from '../../platform/db/schema/api-keys.ts'
import { listPage } from '../../platform/http/page.ts'

export type ApiKeyRow = typeof apiKeys.$inferSelect
type ListedApiKey = ApiKeyRow & { readonly makerName: string | null }

const inTenant = inTenantOf(apiKeys)

export async function findKeyInTenant(db: Db, tenant: Tenant, id: string): Promise<ApiKeyRow | null> {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(inTenant(tenant), eq(apiKeys.id, id)))
  return row ?? null
}

/** One row more than the page holds, newest first. */
export function listKeysInTenant(db: Db, tenant: Tenant, page: PageRequest): Promise<ListedApiKey[]> {
  const makerName = memberNamed(sql`${apiKeys.memberId}`).as('maker_name')
  const select = db.select({ ...getTableColumns(apiKeys), makerName }).from(apiKeys)
  return listPage(db, select, { table: apiKeys, all: inTenant(tenant), mayDiffer: tenant.isTest }, page)
}

export function insertKey(db: Db, row: ApiKeyRow): Statement {
  return db.insert(apiKeys).values(row)
}

export function revokeKey(db: Db, id: string, revokedAt: number): Statement {
  return db
    .update(apiKeys)
    .set({ revokedAt })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
}

/** The keys that were made for this member and are not revoked. */
export async function listOpenKeysOfMember(db: Db, memberId: string): Promise<ApiKeyRow[]> {
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.memberId, memberId), isNull(apiKeys.revokedAt)))
}

export function revokeKeysOfMember(db: Db, memberId: string, revokedAt: number): Statement {
  return db
    .update(apiKeys)
    .set({ revokedAt })
    .where(and(eq(apiKeys.memberId, memberId), isNull(apiKeys.revokedAt)))
}

export function pruneRevokedKeys(db: Db, before: number, limit: number) {
  const { id, revokedAt } = apiKeys
  const old = db
    .select({ id })
    .from(apiKeys)
    .where(lt(revokedAt, before))
    .orderBy(asc(revokedAt))
    .limit(limit)
  return deleteOld(db, apiKeys, [id], old)
}
