import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import { refuseWhen } from '../../db/refusals.ts'
import { calendarConnections } from '../../db/schema/calendars.ts'
import { members, organizations } from '../../db/schema/organizations.ts'
import { assertCursor, type PageRequest } from '../../http/page.ts'
import { inTenant } from './statements.ts'

export type ConnectionRow = typeof calendarConnections.$inferSelect
export type ListedConnection = {
  readonly connection: ConnectionRow
  readonly memberName: string
  readonly upcomingBookings: number
}

function selectListed(db: Db, now: number) {
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
export async function listConnectionsInTenant(
  db: Db,
  tenant: Tenant,
  page: PageRequest,
  now: number,
): Promise<ListedConnection[]> {
  const after = page.starting_after
  const [rows, cursor] = await db.batch([
    selectListed(db, now)
      .where(and(inTenant(tenant), after === undefined ? undefined : lt(calendarConnections.id, after)))
      .orderBy(desc(calendarConnections.id))
      .limit(page.limit + 1),
    db
      .select({ id: calendarConnections.id })
      .from(calendarConnections)
      .where(and(inTenant(tenant), eq(calendarConnections.id, after ?? ''))),
  ])
  assertCursor(page, cursor)
  return rows
}

/** Whom a connection is to belong to (the owner unless a member is named), and the one of that account. */
export async function findConnectable(db: Db, tenant: Tenant, memberId: string | null, accountKey: string) {
  const { organizationId } = tenant
  const isMeant =
    memberId === null
      ? sql`${members.userId} = (SELECT owner_user_id FROM organizations WHERE id = ${organizationId})`
      : eq(members.id, memberId)
  const [[organization], [member], [existing]] = await db.batch([
    db
      .select({
        timezone: organizations.timezone,
        sandboxNow: organizations.sandboxNow,
        allowedRedirectHosts: organizations.allowedRedirectHosts,
      })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    db
      .select()
      .from(members)
      .where(and(eq(members.organizationId, organizationId), isMeant)),
    selectListed(db, Date.now()).where(and(inTenant(tenant), eq(calendarConnections.accountKey, accountKey))),
  ])
  return { organization: organization!, member: member ?? null, existing: existing ?? null }
}

/** Refuses the batch when the member has left in the meantime. */
export function guardMember(db: Db, memberId: string): Statement {
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM members WHERE id = ${memberId})`)
}

export function insertConnection(db: Db, row: ConnectionRow): Statement {
  return db.insert(calendarConnections).values(row)
}

/** Gives a connection new credentials, unless it has got others since it was read. */
export function renewConnection(db: Db, read: ConnectionRow, row: ConnectionRow): Statement[] {
  const { id, credentials } = read
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM calendar_connections WHERE id = ${id} AND credentials = ${credentials})`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db.update(calendarConnections).set(row).where(eq(calendarConnections.id, id)),
  ]
}

/** Whether any organization has a connection of the account. */
export async function isAccountConnected(db: Db, accountKey: string): Promise<boolean> {
  return (await db.$count(calendarConnections, eq(calendarConnections.accountKey, accountKey))) > 0
}

export async function updateCredentials(db: Db, id: string, credentials: string): Promise<void> {
  await db.update(calendarConnections).set({ credentials }).where(eq(calendarConnections.id, id))
}

export async function findCredentials(db: Db, id: string): Promise<string | null> {
  const [row] = await db
    .select({ credentials: calendarConnections.credentials })
    .from(calendarConnections)
    .where(eq(calendarConnections.id, id))
  return row?.credentials ?? null
}
