import { and, eq, ne, sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { inTenantOf } from '../../platform/db/in-tenant.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import {
  calendarAccounts,
  calendarConnections,
  type KnownCalendar,
  type ProviderMetadata,
} from '../../platform/db/schema/calendars.ts'

export type AccountRow = typeof calendarAccounts.$inferSelect

export const inTenant = inTenantOf(calendarAccounts)

export function selectAccount(db: Db, id: string) {
  return db.select().from(calendarAccounts).where(eq(calendarAccounts.id, id))
}

export function selectAccountInTenant(db: Db, tenant: Tenant, id: string) {
  return db
    .select()
    .from(calendarAccounts)
    .where(and(inTenant(tenant), eq(calendarAccounts.id, id)))
}

export function insertAccount(db: Db, row: AccountRow): Statement {
  return db.insert(calendarAccounts).values(row)
}

/** Gives an account new credentials, unless it has got others since it was read. */
export function renewAccount(db: Db, read: AccountRow, row: AccountRow): Statement[] {
  const { id, credentials } = read
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM calendar_accounts WHERE id = ${id} AND credentials = ${credentials})`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db.update(calendarAccounts).set(row).where(eq(calendarAccounts.id, id)),
  ]
}

/** Refuses the batch if the account was deleted since. */
export function guardAccount(db: Db, id: string): Statement {
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM calendar_accounts WHERE id = ${id})`)
}

/**
 * Whether any organization but the one that leaves has connected the account: the provider has one permission for all of
 * them.
 */
export async function isAccountConnected(db: Db, accountKey: string, leaving?: string): Promise<boolean> {
  const isIt = eq(calendarAccounts.accountKey, accountKey)
  const stays = leaving === undefined ? undefined : ne(calendarAccounts.organizationId, leaving)
  return (await db.$count(calendarAccounts, and(isIt, stays))) > 0
}

/** Replaces the credentials that were `read`; false if they were replaced in the meantime. */
export async function replaceCredentials(
  db: Db,
  id: string,
  read: string,
  credentials: string,
): Promise<boolean> {
  const kept = await db
    .update(calendarAccounts)
    .set({ credentials })
    .where(and(eq(calendarAccounts.id, id), eq(calendarAccounts.credentials, read)))
    .returning({ id: calendarAccounts.id })
  return kept.length > 0
}

/** Keeps how a CalDAV server wants its account to sign in, unless the account has got other credentials since. */
export function replaceSignIn(
  db: Db,
  { id, credentials }: Pick<AccountRow, 'id' | 'credentials'>,
  sealed: string,
  scheme: ProviderMetadata['auth_method'],
): Statement[] {
  const isAsRead = sql`EXISTS (SELECT 1 FROM calendar_accounts WHERE id = ${id} AND credentials = ${credentials})`
  const { accountId, providerMetadata } = calendarConnections
  return [
    db
      .update(calendarConnections)
      .set({ providerMetadata: sql`json_set(${providerMetadata}, '$.auth_method', ${scheme})` })
      .where(and(eq(accountId, id), isAsRead)),
    db
      .update(calendarAccounts)
      .set({ credentials: sealed })
      .where(and(eq(calendarAccounts.id, id), eq(calendarAccounts.credentials, credentials))),
  ]
}

/** What the account has, for when it does not answer, and for those of its calendars that are connected. */
export function keepCalendars(db: Db, id: string, calendars: KnownCalendar[]): Statement[] {
  const { calendarId, accountId } = calendarConnections
  const told = (
    key: keyof KnownCalendar,
  ) => sql`(SELECT value ->> ${key} FROM json_each(${JSON.stringify(calendars)})
    WHERE value ->> 'external_id' = ${calendarId})`
  return [
    db.update(calendarAccounts).set({ calendars }).where(eq(calendarAccounts.id, id)),
    db
      .update(calendarConnections)
      .set({ name: told('name'), isPrimary: told('is_primary'), canWrite: told('can_write') })
      .where(and(eq(accountId, id), sql`${told('external_id')} IS NOT NULL`)),
  ]
}
