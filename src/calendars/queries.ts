import { and, eq, sql } from 'drizzle-orm'
import { insertFreedByCalendars, insertFreedByReopening } from '../booking/waitlist/statements.ts'
import { MAX_HOLD_MS } from '../core/longest-hold.ts'
import type { Tenant } from '../platform/auth/caller.ts'
import type { Db, Statement } from '../platform/db/client.ts'
import type { PageRequest } from '../platform/db/list-page.ts'
import { holds } from '../platform/db/schema/bookings.ts'
import { type ConnectionRow, calendarAccounts, calendarConnections } from '../platform/db/schema/calendars.ts'
import { members, organizations } from '../platform/db/schema/organizations.ts'
import { resources } from '../platform/db/schema/resources.ts'
import { listPage } from '../platform/http/page.ts'
import { inTenant as accountsInTenant } from './accounts/queries.ts'
import { passOnHoldsOfDefault } from './sharing/statements.ts'
import { inTenant } from './statements.ts'

export type ListedConnection = {
  readonly connection: ConnectionRow
  readonly memberName: string
  readonly upcomingBookings: number
}

/** Connections as the API shows them. */
export function selectListed(db: Db, now: number) {
  const upcoming = sql<number>`(SELECT count(*) FROM bookings b WHERE b.calendar_connection_id = ${calendarConnections.id}
    AND b.start_time > ${now} AND b.status <> 'cancelled')`
  return db
    .select({
      connection: calendarConnections,
      memberName: sql<string>`coalesce(nullif(${members.userEmail}, ''), ${members.userId}, '')`.as(
        'member_name',
      ),
      upcomingBookings: upcoming.as('upcoming_bookings'),
    })
    .from(calendarConnections)
    .leftJoin(members, eq(members.id, calendarConnections.memberId))
}

export async function findListedInTenant(
  db: Db,
  tenant: Tenant,
  id: string,
  now: number,
): Promise<ListedConnection | null> {
  const [row] = await selectListed(db, now).where(and(inTenant(tenant), eq(calendarConnections.id, id)))
  return row ?? null
}

/** One row more than the page holds, newest first. */
export function listConnectionsInTenant(
  db: Db,
  tenant: Tenant,
  page: PageRequest,
  now: number,
): Promise<ListedConnection[]> {
  const { connectedAt: createdAt } = calendarConnections
  const list = { table: calendarConnections, all: inTenant(tenant), createdAt, mayDiffer: true }
  return listPage(db, selectListed(db, now), list, page)
}

/**
 * The member (the owner unless one is named) or the resource that a connection is to belong to, and what it has of that
 * account.
 */
export async function findConnectable(
  db: Db,
  tenant: Tenant,
  memberId: string | null,
  accountKey: string,
  resourceId: string | null = null,
) {
  const { organizationId } = tenant
  const isMeant =
    memberId === null
      ? sql`${members.userId} = (SELECT owner_user_id FROM organizations WHERE id = ${organizationId})`
      : eq(members.id, memberId)
  const isResource = and(
    eq(resources.organizationId, organizationId),
    eq(resources.isTest, tenant.isTest),
    eq(resources.id, resourceId ?? ''),
  )
  const whose =
    resourceId === null ? null : sql`(SELECT ${resources.id} FROM ${resources} WHERE ${isResource})`
  const theMember =
    whose ??
    sql`(SELECT ${members.id} FROM ${members} WHERE ${and(eq(members.organizationId, organizationId), isMeant)})`
  const isTheirs = and(
    accountsInTenant(tenant),
    eq(calendarAccounts.accountKey, accountKey),
    sql`${calendarAccounts.memberId} = ${theMember}`,
  )
  const [[organization], [member], [account], connections, [receiving]] = await db.batch([
    db
      .select({
        timezone: organizations.timezone,
        sandboxNow: organizations.sandboxNow,
        allowedRedirectHosts: organizations.allowedRedirectHosts,
      })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    whose === null
      ? db
          .select({
            id: members.id,
            userId: members.userId,
            userEmail: members.userEmail,
            timezone: members.timezone,
          })
          .from(members)
          .where(and(eq(members.organizationId, organizationId), isMeant))
      : db
          .select({
            id: resources.id,
            userId: sql<string>`''`.as('user_id'),
            userEmail: sql<string>`''`.as('user_email'),
            timezone: sql<string | null>`NULL`.as('timezone'),
          })
          .from(resources)
          .where(isResource),
    db.select().from(calendarAccounts).where(isTheirs),
    selectListed(db, Date.now()).where(
      sql`${calendarConnections.accountId} IN (SELECT ${calendarAccounts.id} FROM ${calendarAccounts} WHERE ${isTheirs})`,
    ),
    db
      .select({ id: calendarConnections.id })
      .from(calendarConnections)
      .where(
        and(inTenant(tenant), sql`${calendarConnections.memberId} = ${theMember}`, sql`receives_bookings`),
      ),
  ])
  return {
    organization: organization!,
    member: member ?? null,
    timezone: member?.timezone ?? organization!.timezone,
    account: account ?? null,
    connections,
    hasReceiving: receiving !== undefined,
  }
}

export function insertConnection(db: Db, row: ConnectionRow): Statement {
  return db.insert(calendarConnections).values(row)
}

/** All but what it is used for, which somebody may change at the same moment. */
export function updateConnection(
  db: Db,
  { checksBusy: _checks, receivesBookings: _receives, ...row }: ConnectionRow,
): Statement {
  return db.update(calendarConnections).set(row).where(eq(calendarConnections.id, row.id))
}

/** The oldest calendar that can takes over from one that received bookings and is gone, unless another one did. */
export function inheritReceiving(db: Db, { memberId, isTest }: ConnectionRow): Statement {
  const theirs = sql`member_id = ${memberId} AND is_test = ${isTest}`
  const heir = sql`(SELECT id FROM calendar_connections WHERE ${theirs}
    AND can_write AND NOT everybody AND status IN ('active', 'error') ORDER BY id LIMIT 1)`
  return db
    .update(calendarConnections)
    .set({ receivesBookings: true })
    .where(sql`${calendarConnections.id} = ${heir}
      AND NOT EXISTS (SELECT 1 FROM calendar_connections WHERE ${theirs} AND receives_bookings)`)
}

/**
 * Upcoming bookings that block a calendar that is removed, or becomes one of everybody, block the member's next one instead: event types without hosts know by it when
 * their owner is busy.
 */
export function inheritHolds(db: Db, { id, memberId, isTest }: ConnectionRow, now: number): Statement {
  const since = isTest ? 0 : now - MAX_HOLD_MS
  return db
    .insert(holds)
    .select(sql`SELECT heir.id, held.starts_at, held.ends_at, held.holder_id, '', held.meets_at, held.expires_at
    FROM calendar_connections heir JOIN holds held ON held.resource_id = ${id} AND held.kept_by = ''
    WHERE heir.id = (SELECT id FROM calendar_connections WHERE member_id = ${memberId} AND is_test = ${isTest} AND NOT everybody
        ORDER BY receives_bookings DESC, id LIMIT 1)
      AND held.starts_at > ${since} AND NOT EXISTS (SELECT 1 FROM holds other
        WHERE other.resource_id = heir.id AND other.kept_by = '' AND other.starts_at > held.starts_at - ${MAX_HOLD_MS}
          AND other.starts_at < held.ends_at AND other.ends_at > held.starts_at)`)
}

/** The events are still there, so a sync does not take it for time that is blocked again. */
const OPENED = sql`'opened/' || busy.connection_id`

/** What was known of its time frees what it no longer blocks, for those who wait. */
export function changeConnection(
  db: Db,
  id: string,
  changes: Partial<
    Pick<ConnectionRow, 'checksBusy' | 'receivesBookings' | 'blocks' | 'everybody' | 'syncedUntil'>
  >,
  now: number,
): Statement[] {
  const theirs = sql`(${id})`
  return [
    ...(changes.checksBusy === false ? [insertFreedByCalendars(db, theirs, null)] : []),
    ...(changes.everybody === false ? [insertFreedByCalendars(db, theirs, null, OPENED)] : []),
    ...(changes.checksBusy === false || changes.everybody === false
      ? [insertFreedByReopening(db, theirs)]
      : []),
    ...(changes.everybody === true ? [passOnHoldsOfDefault(db, theirs)] : []),
    db
      .update(calendarConnections)
      .set({ ...changes, updatedAt: now })
      .where(eq(calendarConnections.id, id)),
  ]
}

/** The accounts of the tenant with what is connected of them, the oldest first. */
export async function listAccountsInTenant(db: Db, tenant: Tenant) {
  const [accounts, connections] = await db.batch([
    db.select().from(calendarAccounts).where(accountsInTenant(tenant)).orderBy(calendarAccounts.id),
    db.select().from(calendarConnections).where(inTenant(tenant)),
  ])
  return accounts.map((account) => ({
    account,
    connections: connections.filter(({ accountId }) => accountId === account.id),
  }))
}

/** What closes everybody's times of a member. */
export function selectClosingOf(db: Db, tenant: Tenant, memberId: string) {
  const { id, name, everybody, provider } = calendarConnections
  return db
    .select({ id, name, isFeed: sql<boolean>`${provider} = 'ics'`.mapWith(Boolean) })
    .from(calendarConnections)
    .where(and(inTenant(tenant), eq(calendarConnections.memberId, memberId), eq(everybody, true)))
}
