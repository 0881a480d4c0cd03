import { and, asc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { deleteOld } from '../../../platform/db/delete-old.ts'
import { memberName } from '../../../platform/db/member-name.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { consoleLinks } from '../../../platform/db/schema/console.ts'
import { members, organizations } from '../../../platform/db/schema/organizations.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { selectMemberships } from '../queries.ts'

type LinkRow = typeof consoleLinks.$inferSelect

export function insertLink(db: Db, row: LinkRow): Statement {
  return db.insert(consoleLinks).values(row)
}

function isGoodLink(tokenHash: string, now: RealMs) {
  const { usedAt, expiresAt } = consoleLinks
  return and(eq(consoleLinks.tokenHash, tokenHash), isNull(usedAt), gt(expiresAt, now))
}

/** A link that is still good, and the member whom it signs in. */
export async function findLink(db: Db, tokenHash: string, now: RealMs) {
  const [[link], [membership]] = await db.batch([
    db.select().from(consoleLinks).where(isGoodLink(tokenHash, now)),
    selectMemberships(db, sql`SELECT member_id FROM console_links WHERE token_hash = ${tokenHash}`),
  ])
  return link ? { link, membership: membership ?? null } : null
}

/** Whether this call was the one that used it up. */
export async function useLink(db: Db, tokenHash: string, now: RealMs): Promise<boolean> {
  const used = await db
    .update(consoleLinks)
    .set({ usedAt: now })
    .where(isGoodLink(tokenHash, now))
    .returning({ id: consoleLinks.id })
  return used.length === 1
}

/** The same in a batch, which is refused (STALE) where the link is over. */
export function spendLink(db: Db, tokenHash: string, now: RealMs): Statement[] {
  const isGood = isGoodLink(tokenHash, now)
  return [
    refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM console_links WHERE ${isGood})`),
    db.update(consoleLinks).set({ usedAt: now }).where(isGood),
  ]
}

/** After what it was used for did not happen. */
export async function giveLinkBack(db: Db, tokenHash: string): Promise<void> {
  await db.update(consoleLinks).set({ usedAt: null }).where(eq(consoleLinks.tokenHash, tokenHash))
}

/** The member with that user id, or the owner. */
export async function findLinkable(db: Db, organizationId: string, userId: string | undefined) {
  const [row] = await db
    .select({
      organizationId: organizations.id,
      memberId: members.id,
      name: memberName().as('member_name'),
    })
    .from(organizations)
    .leftJoin(
      members,
      and(
        eq(members.organizationId, organizations.id),
        userId === undefined ? eq(members.userId, organizations.ownerUserId) : eq(members.userId, userId),
      ),
    )
    .where(eq(organizations.id, organizationId))
  return row ?? null
}

/** The owner of an organization with that user id. */
export async function findOwnerNamed(db: Db, userId: string) {
  const [row] = await db
    .select({ userEmail: members.userEmail })
    .from(organizations)
    .innerJoin(
      members,
      and(eq(members.organizationId, organizations.id), eq(members.userId, organizations.ownerUserId)),
    )
    .where(eq(organizations.ownerUserId, userId))
  return row ?? null
}

export function pruneConsoleLinks(db: Db, before: number, limit: number) {
  const { id, createdAt } = consoleLinks
  const old = db
    .select({ id })
    .from(consoleLinks)
    .where(lt(createdAt, before))
    .orderBy(asc(createdAt))
    .limit(limit)
  return deleteOld(db, consoleLinks, [id], old)
}
