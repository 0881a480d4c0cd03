import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { preparedStatement } from '../../db/prepared.ts'
import { laterThan, refuseWhen } from '../../db/refusals.ts'
import { deletions } from '../../db/schema/deletions.ts'
import { names } from '../../db/schema/directory.ts'
import { moves } from '../../db/schema/moves.ts'
import { organizations } from '../../db/schema/organizations.ts'
import type { DeletionRow } from './queries.ts'

/** Refuses the batch where somebody else asked for it meanwhile. */
export function guardNoDeletion(db: Db, organizationId: string): Statement {
  return refuseWhen(
    db,
    'STALE',
    sql`EXISTS (SELECT 1 FROM deletions WHERE organization_id = ${organizationId})`,
  )
}

/** Refuses the batch where it is not the deletion that was read. */
export function guardDeletion(db: Db, { organizationId, requestedAt }: DeletionRow): Statement {
  const isThis = sql`SELECT 1 FROM deletions WHERE organization_id = ${organizationId} AND requested_at = ${requestedAt}`
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (${isThis})`)
}

export function insertDeletion(db: Db, row: DeletionRow): Statement {
  return db.insert(deletions).values(row)
}

export function takeBack(db: Db, organizationId: string): Statement {
  return db.delete(deletions).where(eq(deletions.organizationId, organizationId))
}

/** Suspends or resumes an organization that is still as it was read; else the batch is refused. */
export function suspendAsRead(
  db: Db,
  { id, updatedAt }: { readonly id: string; readonly updatedAt: number },
  suspendedAt: number | null,
  now: number,
): Statement[] {
  const isChanged = sql`NOT EXISTS (SELECT 1 FROM organizations WHERE id = ${id} AND updated_at = ${updatedAt})`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db
      .update(organizations)
      .set({ suspendedAt, updatedAt: laterThan(updatedAt, now) })
      .where(eq(organizations.id, id)),
  ]
}

/** As long as none of it is gone. */
function isScheduled({ organizationId, requestedAt }: DeletionRow) {
  return and(
    eq(deletions.organizationId, organizationId),
    eq(deletions.requestedAt, requestedAt),
    isNull(deletions.begunAt),
  )
}

/** Deletes it at another time, and has the sweep look at it. */
export function moveDeletion(db: Db, row: DeletionRow, deletesAt: number): Statement {
  return db.update(deletions).set({ deletesAt, nextAt: Date.now() }).where(isScheduled(row))
}

/** When the sweep looks at it next, unless somebody chose another day since it was read. */
export function putOff(db: Db, row: DeletionRow, nextAt: number): Statement {
  return db
    .update(deletions)
    .set({ nextAt })
    .where(
      and(
        eq(deletions.organizationId, row.organizationId),
        eq(deletions.requestedAt, row.requestedAt),
        eq(deletions.deletesAt, row.deletesAt),
      ),
    )
}

/** From here on there is no way back: nobody changes anything of it, and nothing is sent for it. */
export function beginDeleting(db: Db, row: DeletionRow, begunAt: number, nextAt: number): Statement[] {
  const hasBegun = sql`SELECT 1 FROM deletions WHERE organization_id = ${row.organizationId} AND begun_at = ${begunAt}`
  return [
    db
      .update(deletions)
      .set({ begunAt, nextAt })
      .where(and(isScheduled(row), eq(deletions.deletesAt, row.deletesAt))),
    refuseWhen(db, 'STALE', sql`NOT EXISTS (${hasBegun})`),
    db.insert(moves).values({ organizationId: row.organizationId, beganAt: begunAt }).onConflictDoNothing(),
  ]
}

/** When all else is gone. Its slug and its owner are free then, but in the directory. */
export function deleteOrganization(db: Db, organizationId: string): Statement {
  return db.delete(organizations).where(eq(organizations.id, organizationId))
}

/** What the directory claimed for it. */
export function freeNames(directory: Db, organizationId: string): Statement {
  return directory.delete(names).where(eq(names.organizationId, organizationId))
}

/** The end: nothing tells of it any more. */
export function forgetDeletion(db: Db, organizationId: string): Statement[] {
  return [
    db.delete(deletions).where(eq(deletions.organizationId, organizationId)),
    db.delete(moves).where(eq(moves.organizationId, organizationId)),
  ]
}

const IDS = '(SELECT value FROM json_each(?1))'

/** How members sign in who belong to nothing else: sessions that stand for them alone, links, and where others are at work. */
export function forgetMembers(db: Db, members: string, emails: string, organizationId: string): Statement[] {
  return [endSessionsOf(db, members), endLinksOf(db, members), leaveSessions(db, emails, organizationId)]
}

const endSessionsOf = preparedStatement<readonly [memberIds: string]>(
  `DELETE FROM console_sessions WHERE member_id IS NOT NULL AND member_id IN ${IDS}`,
)
const endLinksOf = preparedStatement<readonly [memberIds: string]>(
  `DELETE FROM console_links WHERE created_at >= 0 AND member_id IN ${IDS}`,
)
const leaveSessions = preparedStatement<readonly [emails: string, organizationId: string]>(
  `UPDATE console_sessions SET organization_id = NULL WHERE email IN ${IDS} AND organization_id = ?2`,
)

/** The same of addresses that are no member's any more. */
export function forgetAddresses(db: Db, emails: string): Statement[] {
  return [endSessionsOfAddresses(db, emails), endCodesOf(db, emails)]
}

const endSessionsOfAddresses = preparedStatement<readonly [emails: string]>(
  `DELETE FROM console_sessions WHERE email <> '' AND email IN ${IDS}`,
)
const endCodesOf = preparedStatement<readonly [emails: string]>(
  `DELETE FROM sign_in_codes WHERE email IN ${IDS}`,
)

/** Passkeys and accounts at a provider of these members, and of these addresses. All of them are in the directory. */
export function forgetPasskeys(directory: Db, members: string, emails: string): Statement[] {
  return [
    ...[endPasskeysOf, endAccountsOf].map((end) => end(directory, members)),
    ...[endPasskeysOfAddresses, endAccountsOfAddresses].map((end) => end(directory, emails)),
  ]
}

const endPasskeysOf = preparedStatement<readonly [memberIds: string]>(
  `DELETE FROM passkeys WHERE member_id IS NOT NULL AND member_id IN ${IDS}`,
)
const endAccountsOf = preparedStatement<readonly [memberIds: string]>(
  `DELETE FROM openid_accounts WHERE member_id IS NOT NULL AND member_id IN ${IDS}`,
)
const endAccountsOfAddresses = preparedStatement<readonly [emails: string]>(
  `DELETE FROM openid_accounts WHERE email <> '' AND email IN ${IDS} AND member_id IS NULL`,
)
const endPasskeysOfAddresses = preparedStatement<readonly [emails: string]>(
  `DELETE FROM passkeys WHERE email <> '' AND email IN ${IDS} AND member_id IS NULL`,
)
