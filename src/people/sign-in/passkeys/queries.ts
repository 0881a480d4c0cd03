import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { deleteOld } from '../../../platform/db/delete-old.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { passkeys, spentChallenges } from '../../../platform/db/schema/console.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import type { Person } from '../person.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

/** More than anybody has devices. */
const MOST_PASSKEYS = 20
const MOST_SEEN = 100

function isOf({ email, memberId }: Person) {
  return memberId === null
    ? and(eq(passkeys.email, email), isNull(passkeys.memberId))
    : eq(passkeys.memberId, memberId)
}

/**
 * The passkeys that a person can see and remove: a person who proved an address also sees those that were added through a link
 * for a member with it.
 */
function isSeenBy({ email, memberId }: Person) {
  return memberId === null ? eq(passkeys.email, email) : eq(passkeys.memberId, memberId)
}

/** The oldest first. */
export async function listSeenPasskeys(db: Db, person: Person): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(isSeenBy(person)).orderBy(asc(passkeys.id)).limit(MOST_SEEN)
}

/** All that prove who a person is, the oldest first. */
export async function listPasskeys(db: Db, person: Person): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(isOf(person)).orderBy(asc(passkeys.id)).limit(MOST_PASSKEYS)
}

/** Uses up what is good once; no row where it was used before. */
export function spendOne(db: Db, spent: typeof spentChallenges.$inferInsert) {
  return db
    .insert(spentChallenges)
    .values(spent)
    .onConflictDoNothing()
    .returning({ hash: spentChallenges.hash })
}

/** Uses a challenge up: whether this call was the one that did. */
export async function spendChallenge(db: Db, hash: string, expiresAt: number): Promise<boolean> {
  return (await spendOne(db, { hash, expiresAt })).length === 1
}

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId))
  return row ?? null
}

/** Keeps one; refused (STALE) where the person has too many or the credential is known. */
export function insertPasskey(db: Db, row: PasskeyRow): Statement[] {
  const isKnown = sql`EXISTS (SELECT 1 FROM passkeys WHERE credential_id = ${row.credentialId})`
  const isOneTooMany = sql`(SELECT count(*) FROM passkeys WHERE ${isOf(row)}) >= ${MOST_PASSKEYS}`
  return [refuseWhen(db, 'STALE', sql`${isKnown} OR ${isOneTooMany}`), db.insert(passkeys).values(row)]
}

/** Notes that one was used. Where its counter does not go on, it was copied, and this answers false. */
export async function countPasskey(db: Db, id: string, counter: number, now: RealMs): Promise<boolean> {
  const goesOn = or(lt(passkeys.counter, counter), and(eq(passkeys.counter, 0), sql`${counter} = 0`))
  const counted = await db
    .update(passkeys)
    .set({ counter, usedAt: now })
    .where(and(eq(passkeys.id, id), goesOn))
    .returning({ id: passkeys.id })
  return counted.length === 1
}

export async function findOwnPasskey(db: Db, person: Person, id: string): Promise<PasskeyRow | null> {
  const [row] = await db
    .select()
    .from(passkeys)
    .where(and(isSeenBy(person), eq(passkeys.id, id)))
  return row ?? null
}

/** Deletes one; refused (STALE) where it is gone. */
export function deletePasskey(db: Db, person: Person, id: string): Statement[] {
  const isThis = and(isSeenBy(person), eq(passkeys.id, id))
  return [
    refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM passkeys WHERE ${isThis})`),
    db.delete(passkeys).where(isThis),
  ]
}

export function pruneChallenges(db: Db, before: number, limit: number) {
  const { hash, expiresAt } = spentChallenges
  const old = db
    .select({ hash })
    .from(spentChallenges)
    .where(lt(expiresAt, before))
    .orderBy(asc(expiresAt))
    .limit(limit)
  return deleteOld(db, spentChallenges, [hash], old)
}
