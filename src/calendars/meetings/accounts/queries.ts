import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { ownerAndColumn, senderColumn } from '../../../outbox/mail/about/statements.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { staysHere } from '../../../platform/db/due-page.ts'
import { inTenantOf } from '../../../platform/db/in-tenant.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { conferencingConnections, type meetings } from '../../../platform/db/schema/conferencing.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'
import { ownerOf } from '../../accounts/statements.ts'

export type AccountRow = typeof conferencingConnections.$inferSelect

/** A user of the provider, connected by anyone: the provider has one permission per user. */
type ProviderUser = Pick<AccountRow, 'externalId' | 'accountEmail'>

const { id, provider, memberId, externalId, accountEmail, status, credentials } = conferencingConnections
const isLive = inArray(status, ['active', 'error'])

const inTenant = inTenantOf(conferencingConnections)

export function selectAccount(db: Db, accountId: string) {
  return db.select().from(conferencingConnections).where(eq(id, accountId))
}

/** An account whose tokens are to be kept from ending: where its organization moves to, that is done there. */
export function selectAccountToRenew(db: Db, accountId: string) {
  const { organizationId, isTest } = conferencingConnections
  return db
    .select()
    .from(conferencingConnections)
    .where(and(eq(id, accountId), eq(isTest, false), isLive, staysHere(organizationId)))
}

/** The account of a member, the owner's where none is named; one that a Worker without members connected is the owner's. */
export function selectAccountOf(db: Db, tenant: Tenant, member: string | null) {
  const owner = ownerOf(tenant.organizationId)
  const isTheirs =
    member === null
      ? sql`${memberId} IN (${owner}, '')`
      : sql`(${memberId} = ${member} OR ${memberId} = '' AND ${member} = ${owner})`
  return db
    .select()
    .from(conferencingConnections)
    .where(and(inTenant(tenant), isTheirs))
    .orderBy(sql`${memberId} = ''`)
    .limit(1)
}

/** The accounts of the organization, the owner's first. */
export function selectAccounts(db: Db, tenant: Tenant) {
  return db
    .select()
    .from(conferencingConnections)
    .where(inTenant(tenant))
    .orderBy(sql`${memberId} IN (${ownerOf(tenant.organizationId)}, '') DESC`, id)
}

/**
 * The account that a meeting was made with; of one that is still to be made, the one of who hosts it, else the owner's.
 */
export function selectAccountOfMeeting(
  db: Db,
  meeting: Pick<
    typeof meetings.$inferSelect,
    'holderId' | 'organizationId' | 'isTest' | 'provider' | 'connectionId'
  >,
) {
  const { holderId, organizationId, connectionId } = meeting
  if (connectionId !== null) return selectAccount(db, connectionId)
  const host = sql`(SELECT b.assigned_host_id FROM bookings b WHERE (b.id = ${holderId} OR b.session_id = ${holderId})
    AND coalesce(b.session_id, b.id) = ${holderId} AND b.status IN ('confirmed', 'rescheduled') ORDER BY b.id LIMIT 1)`
  return db
    .select()
    .from(conferencingConnections)
    .where(and(inTenant(meeting), sql`${memberId} IN (${host}, ${ownerOf(organizationId)}, '')`))
    .orderBy(sql`${memberId} IS ${host} DESC`, sql`${memberId} = ''`)
    .limit(1)
}

/** What lives by the permission of a user. Accounts that were connected before ids were kept are known by their address. */
function livesBy(user: ProviderUser): SQL {
  return sql`${conferencingConnections.isTest} = 0 AND ${isLive} AND ${provider} = 'video_a'
    AND (${externalId} = ${user.externalId} OR ${externalId} IS NULL AND ${accountEmail} = ${user.accountEmail})`
}

export function selectAccountsOfUser(db: Db, user: ProviderUser) {
  return db.select().from(conferencingConnections).where(livesBy(user))
}

/** Gives every account that shares a user's permission its renewed tokens, and returns their ids. */
export function renewPermission(db: Db, user: ProviderUser, renewed: string) {
  return db
    .update(conferencingConnections)
    .set({ credentials: renewed })
    .where(livesBy(user))
    .returning({ id })
}

/**
 * Replaces the credentials that were `read`, also in an account that took them over; false if they were replaced in the meantime.
 */
export async function replaceCredentials(
  db: Db,
  row: Pick<AccountRow, 'id' | 'externalId' | 'credentials'>,
  renewed: string,
): Promise<boolean> {
  const kept = await db
    .update(conferencingConnections)
    .set({ credentials: renewed })
    .where(
      sql`${credentials} = ${row.credentials} AND (${id} = ${row.id} OR ${provider} = 'video_a' AND ${externalId} = ${row.externalId})`,
    )
    .returning({ id })
  return kept.length > 0
}

export function upsertAccount(db: Db, row: AccountRow): Statement {
  const { id: _id, ...changes } = row
  const { organizationId, isTest } = conferencingConnections
  return db
    .insert(conferencingConnections)
    .values(row)
    .onConflictDoUpdate({ target: [organizationId, isTest, provider, memberId], set: changes })
}

/** Refuses the batch when an account is no longer as it was read. */
export function guardAccount(db: Db, read: Pick<AccountRow, 'id' | 'credentials'>): Statement {
  return refuseWhen(
    db,
    'STALE',
    sql`NOT EXISTS (SELECT 1 FROM conferencing_connections WHERE id = ${read.id} AND credentials = ${read.credentials})`,
  )
}

/** Ends an account. What it had is of no use any more, or another one lives by it. */
export function endAccount(
  db: Db,
  accountId: string,
  how: { readonly status: 'revoked' | 'expired'; readonly error: string },
  now: number,
): Statement {
  return db
    .update(conferencingConnections)
    .set({ ...how, credentials: '', updatedAt: now })
    .where(eq(id, accountId))
}

/** Keeps how an account fares, unless it ended or was connected again since it was read. */
export async function updateAccount(
  db: Db,
  read: Pick<AccountRow, 'id' | 'connectedAt'>,
  changes: Partial<Pick<AccountRow, 'status' | 'error' | 'updatedAt'>>,
): Promise<void> {
  await db
    .update(conferencingConnections)
    .set(changes)
    .where(and(eq(id, read.id), eq(conferencingConnections.connectedAt, read.connectedAt), isLive))
}

export function deleteAccount(db: Db, accountId: string): Statement {
  return db.delete(conferencingConnections).where(eq(id, accountId))
}

/** Refuses the batch when an account ended, or was connected again, since it was read. */
export function guardLive(db: Db, read: Pick<AccountRow, 'id' | 'connectedAt'>): Statement {
  return refuseWhen(
    db,
    'STALE',
    sql`NOT EXISTS (SELECT 1 FROM conferencing_connections WHERE id = ${read.id} AND connected_at = ${read.connectedAt}
      AND status IN ('active', 'error'))`,
  )
}

/** The recipients and the sender of notifications about an account. */
export async function findTold(db: Db, { organizationId, memberId: member }: AccountRow) {
  const [row] = await db
    .select({ sender: senderColumn(), people: ownerAndColumn(sql`${member}`) })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row!
}

export function selectAccountsOfMember(db: Db, organizationId: string, member: string) {
  return db
    .select()
    .from(conferencingConnections)
    .where(and(inTenant({ organizationId, isTest: false }), eq(memberId, member)))
}

/** The accounts that a user of the provider took the permission from at that instant. */
export function selectDeauthorized(db: Db, userId: string, at: number) {
  return db
    .select()
    .from(conferencingConnections)
    .where(
      sql`${provider} = 'video_a' AND ${externalId} = ${userId} AND ${conferencingConnections.isTest} = 0
        AND ${conferencingConnections.connectedAt} <= ${at}`,
    )
}
