import { and, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { consoleSessions, openidAccounts, passkeys } from '../../../platform/db/schema/console.ts'
import { invitations, members } from '../../../platform/db/schema/organizations.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import type { SessionRow } from '../queries.ts'

/** Members of one database who get another address together, and who asks for it. */
export type AddressMove = {
  readonly memberIds: readonly string[]
  /** As they sign in with it; empty where they have none. */
  readonly from: string
  readonly to: string
  readonly session: Pick<SessionRow, 'id'>
  readonly now: RealMs
}

/** A list, for somebody may be a member in a hundred places, and D1 binds no more values than that in all. */
function idsOf({ memberIds }: Pick<AddressMove, 'memberIds'>): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(memberIds)}))`
}

/** Refuses (STALE) who has another address by now, or a colleague who has the new one already. */
export function guardAddress(db: Db, move: AddressMove): Statement {
  const { memberIds, from, to } = move
  const same = sql`(SELECT count(*) FROM members WHERE id IN ${idsOf(move)} AND lower(user_email) = ${from})`
  return refuseWhen(db, 'STALE', sql`${same} <> ${memberIds.length} OR ${isTaken(move, to)}`)
}

/** Whether somebody else has the address in one of the organizations. The plus leaves it to the index of addresses. */
function isTaken(move: AddressMove, to: string): SQL {
  return sql`EXISTS (SELECT 1 FROM members other WHERE lower(other.user_email) = ${to} AND other.id NOT IN ${idsOf(move)}
    AND +other.organization_id IN (SELECT organization_id FROM members WHERE id IN ${idsOf(move)}))`
}

export async function isAddressTaken(db: Db, move: AddressMove): Promise<boolean> {
  const [row] = await db.select({ taken: sql<number>`${isTaken(move, move.to)}` }).from(sql`(SELECT 1)`)
  return row?.taken === 1
}

/** Sets the member's address. An invitation to that address ends, because they are a member already. */
export function moveMembers(db: Db, move: AddressMove): Statement[] {
  const { from, to, now } = move
  const isOpen = and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt))
  const theirs = sql`${invitations.organizationId} IN (SELECT organization_id FROM members WHERE id IN ${idsOf(move)})`
  return [
    db
      .update(members)
      .set({ userEmail: to, updatedAt: sql`max(${now}, ${members.updatedAt} + 1)` })
      .where(
        sql`${members.id} IN ${idsOf(move)} AND lower(${members.userEmail}) = ${from} AND NOT ${isTaken(move, to)}`,
      ),
    db
      .update(invitations)
      .set({ revokedAt: now })
      .where(and(theirs, eq(sql`lower(${invitations.email})`, to), isOpen)),
  ]
}

/** Only the session that asks goes on, as one of the new address; all others of the person end. */
export function moveSessions(db: Db, move: AddressMove): Statement[] {
  const { from, to, session } = move
  const ofAddress = and(eq(consoleSessions.email, from), isNull(consoleSessions.memberId), sql`${from} <> ''`)
  const ofMembers = inArray(consoleSessions.memberId, idsOf(move))
  return [
    db.delete(consoleSessions).where(and(or(ofAddress, ofMembers), ne(consoleSessions.id, session.id))),
    db.update(consoleSessions).set({ email: to }).where(eq(consoleSessions.id, session.id)),
  ]
}

/**
 * In the directory: what else they sign in with moves to the new address. The same goes for what signs in one member alone,
 * whose emails would otherwise still go to the old address.
 */
export function moveWaysIn(db: Db, move: Pick<AddressMove, 'from' | 'to' | 'memberIds'>): Statement[] {
  const { from, to } = move
  const isOld = sql`email = ${from} AND member_id IS NULL AND ${from} <> ''`
  const known = sql`SELECT issuer FROM openid_accounts WHERE email = ${to} AND member_id IS NULL`
  return [
    db.update(passkeys).set({ email: to }).where(isOld),
    db.update(openidAccounts).set({ email: to }).where(sql`${isOld} AND issuer NOT IN (${known})`),
    db.delete(openidAccounts).where(isOld),
    db
      .update(passkeys)
      .set({ email: to })
      .where(inArray(passkeys.memberId, idsOf(move))),
    db
      .update(openidAccounts)
      .set({ email: to })
      .where(inArray(openidAccounts.memberId, idsOf(move))),
  ]
}
