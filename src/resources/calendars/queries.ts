import { and, count, desc, eq, lt, sql, sum } from 'drizzle-orm'
import type { Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import { refuseWhen } from '../../db/refusals.ts'
import {
  calendarBusyTimes,
  calendarConnections,
  calendarEvents,
  calendarWrites,
} from '../../db/schema/calendars.ts'
import { members, organizations } from '../../db/schema/organizations.ts'
import { assertCursor, type PageRequest } from '../../http/page.ts'
import { insertFreedByGoing } from '../waitlist/statements.ts'

export type ConnectionRow = typeof calendarConnections.$inferSelect
export type ListedConnection = {
  readonly connection: ConnectionRow
  readonly memberName: string
  readonly upcomingBookings: number
}

function inTenant({ organizationId, isTest }: Tenant) {
  return and(eq(calendarConnections.organizationId, organizationId), eq(calendarConnections.isTest, isTest))
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

/** Everything of the connections that `where` names, but the bookings that were written to them. */
function deleteConnections(db: Db, where: ReturnType<typeof sql>): Statement[] {
  const theirs = sql`(SELECT id FROM calendar_connections WHERE ${where})`
  return [
    ...insertFreedByGoing(db, theirs),
    db
      .update(organizations)
      .set({ defaultCalendarConnectionId: null })
      .where(
        sql`${organizations.id} IN (SELECT organization_id FROM calendar_connections WHERE ${where})
          AND ${organizations.defaultCalendarConnectionId} IN ${theirs}`,
      ),
    db.delete(calendarBusyTimes).where(sql`${calendarBusyTimes.connectionId} IN ${theirs}`),
    db.delete(calendarEvents).where(sql`${calendarEvents.connectionId} IN ${theirs}`),
    db.delete(calendarWrites).where(sql`${calendarWrites.connectionId} IN ${theirs}`),
    db.delete(calendarConnections).where(where),
  ]
}

export function deleteConnection(db: Db, id: string): Statement[] {
  return deleteConnections(db, sql`id = ${id}`)
}

export function deleteConnectionsOfMember(db: Db, memberId: string): Statement[] {
  return deleteConnections(db, sql`member_id = ${memberId}`)
}

export function deleteTestConnections(db: Db, organizationId: string): Statement[] {
  return deleteConnections(db, sql`organization_id = ${organizationId} AND is_test = 1`)
}

/** How many connections there are, and how many of them work. */
export function countConnections(db: Db, tenant: Tenant) {
  const active = sum(sql`${calendarConnections.status} = 'active'`).mapWith(Number)
  return db.select({ total: count(), active }).from(calendarConnections).where(inTenant(tenant))
}

/** The providers that the tenant has an active connection of. */
export function selectActiveProviders(db: Db, tenant: Tenant) {
  return db
    .selectDistinct({ provider: calendarConnections.provider })
    .from(calendarConnections)
    .where(and(inTenant(tenant), eq(calendarConnections.status, 'active')))
}

export async function isConnectionOf(db: Db, tenant: Tenant, id: string): Promise<boolean> {
  return (await db.$count(calendarConnections, and(inTenant(tenant), eq(calendarConnections.id, id)))) > 0
}

export function guardConnection(db: Db, id: string): Statement {
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM calendar_connections WHERE id = ${id})`)
}

/** Before another calendar becomes the default: what this one keeps from being booked may be free then. */
export function freeByDefault(db: Db, organizationId: string): readonly Statement[] {
  const theirs = sql`(SELECT default_calendar_connection_id FROM organizations WHERE id = ${organizationId})`
  return insertFreedByGoing(db, theirs)
}

/** The same for the calendars of the owner, before somebody else is. */
export function freeByOwner(db: Db, organizationId: string): readonly Statement[] {
  const theirs = sql`(SELECT calendar.id FROM calendar_connections calendar JOIN members ON members.id = calendar.member_id
    WHERE members.organization_id = ${organizationId} AND members.role = 'owner')`
  return insertFreedByGoing(db, theirs)
}
