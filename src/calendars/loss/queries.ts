import { and, eq, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import { insertFreedByReopening } from '../../booking/waitlist/statements.ts'
import { ownerAndColumn, senderColumn } from '../../outbox/mail/about/statements.ts'
import type { Person, Sender } from '../../outbox/mail/sender.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../platform/db/due-page.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { type ConnectionRow, calendarConnections } from '../../platform/db/schema/calendars.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { type ListedConnection, selectListed } from '../queries.ts'

/** A connection with what its notifications say, and their recipients. */
export type Affected = ListedConnection & {
  readonly sender: Sender
  /** The owners of the calendars and of the organization. */
  readonly people: readonly Person[]
}

type Last = { readonly at: number | null; readonly id: string }

/** Connections whose `column`, an instant, has come. */
function selectDue(
  db: Db,
  column: typeof calendarConnections.tellAt | typeof calendarConnections.endsAt,
  now: number,
  last?: Last,
) {
  const { id, accountId } = calendarConnections
  return db
    .select({ id, accountId, at: sql<number | null>`${column}`.as('at') })
    .from(calendarConnections)
    .where(
      and(
        isNotNull(column),
        lte(column, now),
        staysHere(calendarConnections.organizationId),
        comesAfter([column, id], last && [last.at, last.id]),
      ),
    )
    .orderBy(column, id)
    .limit(DUE_A_PAGE)
}

/** Those that could not be read for an hour. */
export function selectToTell(db: Db, now: number, last?: Last) {
  return selectDue(db, calendarConnections.tellAt, now, last)
}

/** Those that were refused for a day. */
export function selectToEnd(db: Db, now: number, last?: Last) {
  return selectDue(db, calendarConnections.endsAt, now, last)
}

export function findAffectedByIds(db: Db, ids: readonly string[], now: number): Promise<Affected[]> {
  return findAffected(db, sql`IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`, now)
}

/** All connections of an account. */
export function findAffectedOf(db: Db, accountId: string, now: number): Promise<Affected[]> {
  return findAffected(db, sql`IN (SELECT id FROM calendar_connections WHERE account_id = ${accountId})`, now)
}

async function findAffected(db: Db, isMeant: SQL, now: number): Promise<Affected[]> {
  const isAffected = sql`${calendarConnections.id} ${isMeant}`
  const [listed, told] = await db.batch([
    selectListed(db, now).where(isAffected).orderBy(calendarConnections.id),
    db
      .select({
        connectionId: sql<string>`${calendarConnections.id}`.as('connection_id'),
        people: ownerAndColumn(calendarConnections.memberId),
        sender: senderColumn(),
      })
      .from(calendarConnections)
      .innerJoin(organizations, eq(organizations.id, calendarConnections.organizationId))
      .where(isAffected),
  ])
  const known = new Map(told.map(({ connectionId, ...each }) => [connectionId, each]))
  return listed.flatMap((each) => {
    const found = known.get(each.connection.id)
    return found ? [{ ...each, ...found }] : []
  })
}

/** Refuses the batch if the connection was connected again, notified about or read since it was `read`. */
export function guardLoss(db: Db, read: ConnectionRow): Statement {
  const { id, connectedAt, status, lostAt, tellAt, endsAt } = read
  const isOther = sql`NOT EXISTS (SELECT 1 FROM calendar_connections WHERE id = ${id}
    AND connected_at = ${connectedAt} AND status = ${status} AND lost_at IS ${lostAt} AND tell_at IS ${tellAt}
    AND ends_at IS ${endsAt})`
  return refuseWhen(db, 'STALE', isOther)
}

export function keepLoss(db: Db, id: string, changes: Partial<ConnectionRow>): Statement {
  return db.update(calendarConnections).set(changes).where(eq(calendarConnections.id, id))
}

/** Before a calendar is not lost any more: what its loss closed may be free, for those who wait. */
export function freeByReopening(db: Db, id: string): Statement {
  return insertFreedByReopening(db, sql`(${id})`)
}

/** The other calendars of an account that ended with it are asked again, for it let us in after all. */
export function reviveOthers(
  db: Db,
  { id, accountId }: Pick<ConnectionRow, 'id' | 'accountId'>,
  now: number,
): Statement {
  return db
    .update(calendarConnections)
    .set({ status: 'error', nextSyncAt: now })
    .where(
      sql`account_id = ${accountId} AND ${calendarConnections.id} <> ${id} AND status IN ('revoked', 'expired')`,
    )
}
