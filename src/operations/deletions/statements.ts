import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { preparedStatement } from '../../platform/db/prepared.ts'
import { laterThan, refuseWhen } from '../../platform/db/refusals.ts'
import { deletions } from '../../platform/db/schema/deletions.ts'
import { names } from '../../platform/db/schema/directory.ts'
import { moves } from '../../platform/db/schema/moves.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import type { DeletionRow } from './queries.ts'

/** Refuses the batch when somebody else requested the deletion in the meantime. */
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

export function withdraw(db: Db, organizationId: string): Statement {
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

/** The end: nothing mentions it any more. */
export function forgetDeletion(db: Db, organizationId: string): Statement[] {
  return [
    db.delete(deletions).where(eq(deletions.organizationId, organizationId)),
    db.delete(moves).where(eq(moves.organizationId, organizationId)),
  ]
}

/** Members who worked in it work nowhere until they choose another organization. */
export const leaveSessions = preparedStatement<readonly [emails: string, organizationId: string]>(
  `UPDATE console_sessions SET organization_id = NULL WHERE email IN (SELECT value FROM json_each(?1)) AND organization_id = ?2`,
)
