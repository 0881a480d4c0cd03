import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { openidAccounts } from '../../../platform/db/schema/console.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { spendOne } from '../passkeys/queries.ts'
import type { Person } from '../person.ts'
import { type MembershipRow, selectMemberships } from '../queries.ts'

export type AccountRow = typeof openidAccounts.$inferSelect

function isOf({ email, memberId }: Person) {
  return memberId === null
    ? and(eq(openidAccounts.email, email), isNull(openidAccounts.memberId))
    : eq(openidAccounts.memberId, memberId)
}

/** A person, and the members they represent. */
export type Viewer = { readonly person: Person; readonly memberIds: readonly string[] }

/**
 * The accounts that a person can see and remove: a person who proved an address also sees those that were linked through a link
 * for a member with it.
 */
function isSeenBy({ person, memberIds }: Viewer) {
  const theirs = sql`(SELECT value FROM json_each(${JSON.stringify(memberIds)}))`
  return or(isOf(person), inArray(openidAccounts.memberId, theirs))
}

type Spent = { readonly hash: string; readonly expiresAt: number }
type Sought = {
  readonly issuer: string
  readonly subjectHash: string
  /** The address that they proved, or empty. */
  readonly email: string
}

export type Found = {
  /** Whether nobody came back with this before. */
  readonly isFirst: boolean
  readonly account: AccountRow | null
  /** The person who has the address already, at the same provider. */
  readonly ofAddress: AccountRow | null
  /** In this database: the person the account is linked to, or who has the address. */
  readonly memberships: readonly MembershipRow[]
}

/** Uses up what somebody came back with, and finds whom they come in as: one round trip. */
export async function spendAndFind(db: Db, spent: Spent, sought: Sought): Promise<Found> {
  const { issuer, subjectHash, email } = sought
  const stands = sql`SELECT email FROM openid_accounts WHERE subject_hash = ${subjectHash}`
  const found = sql`SELECT id FROM members WHERE lower(user_email) = nullif(coalesce((${stands}), ${email}), '')
      AND NOT EXISTS (${stands} AND member_id IS NOT NULL)
    UNION ALL SELECT member_id FROM openid_accounts WHERE subject_hash = ${subjectHash} AND member_id IS NOT NULL`
  const ofAddress = and(isOf({ email, memberId: null }), eq(openidAccounts.issuer, issuer))
  const [fresh, [account], [other], memberships] = await db.batch([
    spendOne(db, spent),
    db.select().from(openidAccounts).where(eq(openidAccounts.subjectHash, subjectHash)),
    db.select().from(openidAccounts).where(ofAddress),
    selectMemberships(db, found),
  ])
  return { isFirst: fresh.length === 1, account: account ?? null, ofAddress: other ?? null, memberships }
}

/** Uses up what somebody came back with, and finds their account. */
export async function spendAndFindOwn(db: Db, spent: Spent, subjectHash: string) {
  const [fresh, [account]] = await db.batch([
    spendOne(db, spent),
    db.select().from(openidAccounts).where(eq(openidAccounts.subjectHash, subjectHash)),
  ])
  return { isFirst: fresh.length === 1, account: account ?? null }
}

export async function findAccountOf(db: Db, person: Person, issuer: string): Promise<AccountRow | null> {
  const [row] = await db
    .select()
    .from(openidAccounts)
    .where(and(isOf(person), eq(openidAccounts.issuer, issuer)))
  return row ?? null
}

/** The oldest first. */
export async function listSeenAccounts(db: Db, viewer: Viewer, issuer: string): Promise<AccountRow[]> {
  return db
    .select()
    .from(openidAccounts)
    .where(and(isSeenBy(viewer), eq(openidAccounts.issuer, issuer)))
    .orderBy(asc(openidAccounts.id))
}

/**
 * Links an account to a person, even if it was linked to somebody else. Refused (STALE) when they have another account at the
 * provider: they must remove that one first.
 */
export function putAccount(db: Db, row: AccountRow): Statement[] {
  const { email, memberId, usedAt, createdAt, issuer, subjectHash } = row
  const others = db
    .select({ id: openidAccounts.id })
    .from(openidAccounts)
    .where(and(isOf(row), eq(openidAccounts.issuer, issuer), ne(openidAccounts.subjectHash, subjectHash)))
  return [
    refuseWhen(db, 'STALE', sql`EXISTS ${others}`),
    db.insert(openidAccounts).values(row).onConflictDoUpdate({
      target: openidAccounts.subjectHash,
      set: { email, memberId, usedAt, createdAt },
    }),
  ]
}

export function touchAccount(db: Db, id: string, now: RealMs): Statement {
  return db.update(openidAccounts).set({ usedAt: now }).where(eq(openidAccounts.id, id))
}

/** Lets one go; refused (STALE) where it is gone. */
export function deleteAccount(db: Db, viewer: Viewer, id: string): Statement[] {
  const isThis = and(isSeenBy(viewer), eq(openidAccounts.id, id))
  return [
    refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM openid_accounts WHERE ${isThis})`),
    db.delete(openidAccounts).where(isThis),
  ]
}
