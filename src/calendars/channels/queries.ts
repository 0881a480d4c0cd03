import { and, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../platform/db/due-page.ts'
import {
  type ConnectionRow,
  calendarAccounts,
  calendarChannels,
  calendarConnections,
} from '../../platform/db/schema/calendars.ts'
import type { CalendarSuite } from '../accounts/providers.ts'

export type ChannelRow = typeof calendarChannels.$inferSelect

/** The channels with these ids, each with its connection and account. */
export function selectTold(db: Db, provider: CalendarSuite, ids: readonly string[]) {
  const { id, connectionId, secretHash } = calendarChannels
  return db
    .select({ id, connectionId, secretHash, accountId: calendarConnections.accountId })
    .from(calendarChannels)
    .innerJoin(calendarConnections, eq(calendarConnections.id, connectionId))
    .where(
      and(
        sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        eq(calendarChannels.provider, provider),
      ),
    )
}

/** Channels that end soon, and connections that are to have one. */
export function selectDueChannels(
  db: Db,
  now: number,
  last?: { readonly renewAt: number; readonly id: string },
) {
  const { id, connectionId, renewAt } = calendarChannels
  const isNext = comesAfter([renewAt, id], last && [last.renewAt, last.id])
  return db
    .select({ id, connectionId, renewAt, accountId: calendarConnections.accountId })
    .from(calendarChannels)
    .leftJoin(calendarConnections, eq(calendarConnections.id, connectionId))
    .where(
      and(lte(renewAt, now), staysHere(sql`coalesce(${calendarConnections.organizationId}, '')`), isNext),
    )
    .orderBy(renewAt, id)
    .limit(DUE_A_PAGE)
}

/** A connection with its channels. */
export async function findWithChannels(db: Db, connectionId: string) {
  const [[connection], channels] = await db.batch([
    db.select().from(calendarConnections).where(eq(calendarConnections.id, connectionId)),
    db.select().from(calendarChannels).where(eq(calendarChannels.connectionId, connectionId)),
  ])
  return { connection: connection ?? null, channels }
}

/** The channels of one connection, of a member, or of a JSON list of connections. */
export type Whose =
  | { readonly connectionId: string }
  | { readonly memberId: string }
  | { readonly connectionIds: string }

/** The channels that end with those connections, each with its account. */
export function selectClosing(db: Db, whose: Whose) {
  return db
    .select({ account: calendarAccounts, channel: calendarChannels })
    .from(calendarChannels)
    .innerJoin(calendarConnections, eq(calendarConnections.id, calendarChannels.connectionId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.id, calendarConnections.accountId))
    .where(isOf(whose))
}

/** The accounts that those connections are calendars of. */
export function selectAccountsOf(db: Db, whose: Whose) {
  const theirs = db.select({ id: calendarConnections.accountId }).from(calendarConnections).where(isOf(whose))
  return db.select().from(calendarAccounts).where(inArray(calendarAccounts.id, theirs))
}

function isOf(whose: Whose): SQL | undefined {
  if ('connectionId' in whose) return eq(calendarConnections.id, whose.connectionId)
  if ('memberId' in whose) return eq(calendarConnections.memberId, whose.memberId)
  return sql`${calendarConnections.id} IN (SELECT value FROM json_each(${whose.connectionIds}))`
}

/** Keeps a channel of a connection, unless that is gone or was connected again; no row then. */
export function insertChannel(db: Db, row: ChannelRow, { id, connectedAt }: ConnectionRow) {
  return db
    .insert(calendarChannels)
    .select(
      sql`SELECT ${row.id}, ${row.connectionId}, ${row.provider}, ${row.resourceId}, ${row.secretHash}, ${row.expiresAt},
        ${row.renewAt}, ${row.createdAt}
      WHERE EXISTS (SELECT 1 FROM calendar_connections WHERE id = ${id} AND connected_at = ${connectedAt})`,
    )
    .returning({ id: calendarChannels.id })
}

export function deleteChannels(db: Db, ids: readonly string[]): Statement {
  return db.delete(calendarChannels).where(inArray(calendarChannels.id, [...ids]))
}

export async function updateChannel(
  db: Db,
  id: string,
  changes: Partial<Pick<ChannelRow, 'resourceId' | 'expiresAt' | 'renewAt'>>,
): Promise<void> {
  await db.update(calendarChannels).set(changes).where(eq(calendarChannels.id, id))
}
