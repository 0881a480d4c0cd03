import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { deleteOld } from '../../platform/db/delete-old.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { consoleSessions, signInCodes } from '../../platform/db/schema/console.ts'
import { members, organizations } from '../../platform/db/schema/organizations.ts'
import { activity } from '../../platform/db/schema/records.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { CODES_A_DAY, CODES_AN_HOUR, CODES_OF_A_BROWSER, MAX_TRIES } from './code.ts'
import { MOST_REQUESTS } from './most-requests.ts'

export type SessionRow = typeof consoleSessions.$inferSelect
export type CodeRow = typeof signInCodes.$inferSelect

/** More organizations than anybody works in. */
export const MOST_MEMBERSHIPS = 100

/** Stores a code, unless too many were requested. A known browser is counted apart from anonymous callers. */
export function insertCode(db: Db, row: CodeRow): Statement[] {
  const { email, mailbox, network, browser, createdAt } = row
  const isFull = (condition: SQL, sinceMs: number, most: number) =>
    sql`(SELECT count(*) FROM sign_in_codes WHERE ${condition} AND created_at > ${createdAt - sinceMs}) >= ${most}`
  const isOwn = sql`browser = ${browser} AND email = ${email}`
  const isStrangers = (condition: SQL) => sql`${condition} AND browser IS NULL`
  const isTooOften =
    browser === null
      ? or(
          isFull(
            isStrangers(sql`email = ${email} AND network = ${network}`),
            HOUR_MS,
            CODES_AN_HOUR.perNetworkAndAddress,
          ),
          isFull(isStrangers(sql`mailbox = ${mailbox}`), HOUR_MS, CODES_AN_HOUR.perAddress),
          isFull(isStrangers(sql`network = ${network}`), HOUR_MS, CODES_AN_HOUR.perNetwork),
          isFull(isStrangers(sql`mailbox = ${mailbox}`), DAY_MS, CODES_A_DAY),
        )!
      : or(isFull(isOwn, HOUR_MS, CODES_OF_A_BROWSER.anHour), isFull(isOwn, DAY_MS, CODES_OF_A_BROWSER.aDay))!
  return [refuseWhen(db, 'PUBLIC_LIMIT', isTooOften), db.insert(signInCodes).values(row)]
}

function isGoodCode(id: string, now: RealMs) {
  const { usedAt, expiresAt, wrongTries } = signInCodes
  return and(eq(signInCodes.id, id), isNull(usedAt), gt(expiresAt, now), lt(wrongTries, MAX_TRIES))!
}

/**
 * Uses a code up, or counts a wrong one, in one statement, so that parallel guesses all count. No row where it is
 * over, used or guessed at too often. `before` happens in the same batch, while the code is still as it was.
 */
export async function useCode(
  db: Db,
  id: string,
  isRight: boolean,
  now: RealMs,
  before: readonly Statement[] = [],
): Promise<CodeRow | null> {
  const use = db
    .update(signInCodes)
    .set(isRight ? { usedAt: now } : { wrongTries: sql`${signInCodes.wrongTries} + 1` })
    .where(isGoodCode(id, now))
    .returning()
  if (before.length === 0) return (await use)[0] ?? null
  const told = await db.batch([...before, use])
  return (told.at(-1) as CodeRow[])[0] ?? null
}

/** Refuses (STALE) where a code of the address is over or used. */
export function guardCode(db: Db, id: string, email: string, now: RealMs): Statement {
  const isGood = sql`SELECT 1 FROM sign_in_codes WHERE ${isGoodCode(id, now)} AND email = ${email}`
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (${isGood})`)
}

export function spendCode(db: Db, id: string, now: RealMs): Statement {
  return db.update(signInCodes).set({ usedAt: now }).where(isGoodCode(id, now))
}

/** A code that is still good. */
export async function findCode(db: Db, id: string, now: RealMs): Promise<CodeRow | null> {
  const [row] = await db.select().from(signInCodes).where(isGoodCode(id, now))
  return row ?? null
}

/** How many bookings of the organization await approval. */
function countRequests(isTest: boolean) {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM bookings WHERE organization_id = ${organizations.id}
    AND is_test = ${sql.raw(String(Number(isTest)))} AND status = 'pending_approval' LIMIT ${sql.raw(String(MOST_REQUESTS))}))`
}

/** What is read of a membership, under names that no column of an organization has. */
function membershipColumns() {
  return {
    ...getTableColumns(organizations),
    memberId: sql<string>`${members.id}`.as('member_id'),
    userId: sql<string>`${members.userId}`.as('member_user_id'),
    userEmail: sql<string>`${members.userEmail}`.as('member_user_email'),
    role: members.role,
    memberName: sql<string | null>`${members.name}`.as('member_name'),
    memberTimezone: sql<string | null>`${members.timezone}`.as('member_timezone'),
    memberLocale: sql<string | null>`${members.locale}`.as('member_locale'),
    /** When the organization is deleted; null where it is not to be. */
    deletesAt: sql<number | null>`(SELECT deletes_at FROM deletions
      WHERE organization_id = ${organizations.id} AND kind = 'closed')`.as('deletes_at'),
    liveRequests: countRequests(false).as('live_requests'),
    testRequests: countRequests(true).as('test_requests'),
  }
}

/** The memberships of everybody whom `found`, a query of ids, finds. */
export function selectMemberships(db: Db, found: ReturnType<typeof sql>, limit = MOST_MEMBERSHIPS) {
  return db
    .select(membershipColumns())
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(sql`${members.id} IN (${found})`)
    .orderBy(asc(members.id))
    .limit(limit)
}

export type MembershipRow = Awaited<ReturnType<typeof selectMemberships>>[number]

/** The members that have an address. */
export async function listMembershipsOf(db: Db, email: string, limit?: number): Promise<MembershipRow[]> {
  return selectMemberships(
    db,
    sql`SELECT id FROM members WHERE lower(user_email) = ${email} AND ${email} <> ''`,
    limit,
  )
}

export async function listMembershipsOfMember(db: Db, memberId: string): Promise<MembershipRow[]> {
  return selectMemberships(db, sql`SELECT ${memberId}`)
}

type Asked = {
  readonly tokenHash: string
  readonly idleSince: number
  readonly touchBefore: number
  readonly now: RealMs
}

/**
 * The session of a browser, the members it represents, and a note that it was used: one round trip. A plus removes a column's
 * affinity, which would keep the index by address from being used.
 */
export async function loadSession(db: Db, { tokenHash, idleSince, touchBefore, now }: Asked) {
  const isThis = and(eq(consoleSessions.tokenHash, tokenHash), gt(consoleSessions.usedAt, idleSince))
  const found = sql`SELECT id FROM members WHERE lower(user_email) =
      (SELECT +email FROM console_sessions WHERE token_hash = ${tokenHash} AND member_id IS NULL AND email <> '')
    UNION ALL SELECT member_id FROM console_sessions WHERE token_hash = ${tokenHash} AND member_id IS NOT NULL`
  const [, [session], memberships] = await db.batch([
    db
      .update(consoleSessions)
      .set({ usedAt: now })
      .where(and(isThis, lt(consoleSessions.usedAt, touchBefore))),
    db.select().from(consoleSessions).where(isThis),
    selectMemberships(db, found),
  ])
  return session ? { session, memberships } : null
}

export function insertSession(db: Db, row: SessionRow): Statement {
  return db.insert(consoleSessions).values(row)
}

export function deleteSessionByHash(db: Db, tokenHash: string): Statement {
  return db.delete(consoleSessions).where(eq(consoleSessions.tokenHash, tokenHash))
}

/** All sessions of one person: a person who proved an address also has those in which a link represents a member with it. */
function isOf({ email, memberId }: Pick<SessionRow, 'email' | 'memberId'>) {
  return memberId === null ? eq(consoleSessions.email, email) : eq(consoleSessions.memberId, memberId)
}

export async function listSessions(
  db: Db,
  person: Pick<SessionRow, 'email' | 'memberId'>,
  idleSince: number,
): Promise<SessionRow[]> {
  return db
    .select()
    .from(consoleSessions)
    .where(and(isOf(person), gt(consoleSessions.usedAt, idleSince)))
    .orderBy(desc(consoleSessions.id))
    .limit(100)
}

export function deleteSession(db: Db, person: Pick<SessionRow, 'email' | 'memberId'>, id: string): Statement {
  return db.delete(consoleSessions).where(and(isOf(person), eq(consoleSessions.id, id)))
}

/** Where they work from now on. */
export async function moveSession(
  db: Db,
  id: string,
  place: Partial<Pick<SessionRow, 'organizationId' | 'isTest'>>,
): Promise<void> {
  await db.update(consoleSessions).set(place).where(eq(consoleSessions.id, id))
}

export async function proveSession(db: Db, id: string, provenAt: RealMs): Promise<void> {
  await db.update(consoleSessions).set({ provenAt }).where(eq(consoleSessions.id, id))
}

/** The same where a code of the session's address is good: it goes before the statement that uses the code up. */
export function proveSessionByCode(db: Db, id: string, codeId: string, provenAt: RealMs): Statement {
  const email = sql`(SELECT email FROM sign_in_codes WHERE ${isGoodCode(codeId, provenAt)})`
  return db
    .update(consoleSessions)
    .set({ provenAt })
    .where(sql`${consoleSessions.id} = ${id} AND ${consoleSessions.email} = ${email}`)
}

export function pruneSignInCodes(db: Db, before: number, limit: number) {
  const { id, createdAt } = signInCodes
  const old = db
    .select({ id })
    .from(signInCodes)
    .where(lt(createdAt, before))
    .orderBy(asc(createdAt))
    .limit(limit)
  return deleteOld(db, signInCodes, [id], old)
}

export function pruneSessions(db: Db, before: number, limit: number) {
  const { id, usedAt } = consoleSessions
  const old = db
    .select({ id })
    .from(consoleSessions)
    .where(lt(usedAt, before))
    .orderBy(asc(usedAt))
    .limit(limit)
  return deleteOld(db, consoleSessions, [id], old)
}

type FailedEntry = {
  readonly id: string
  readonly ipAddress: string | null
  readonly requestId: string | null
}

/** Logs a failed guess in each organization where somebody has the address. The answer does not say where. */
export function insertFailedSignIn(
  db: Db,
  { email, memberId }: Pick<SessionRow, 'email' | 'memberId'>,
  entry: FailedEntry,
  now: RealMs,
): Statement {
  const who = memberId === null ? sql`lower(user_email) = ${email} AND ${email} <> ''` : sql`id = ${memberId}`
  return insertFailure(db, who, entry, now)
}

/** The same of a code that is still good, before the guess is counted. */
export function insertFailedGuess(db: Db, codeId: string, entry: FailedEntry, now: RealMs): Statement {
  const email = sql`(SELECT +email FROM sign_in_codes WHERE ${isGoodCode(codeId, now)})`
  return insertFailure(db, sql`lower(user_email) = ${email}`, entry, now)
}

function insertFailure(db: Db, who: ReturnType<typeof sql>, entry: FailedEntry, now: RealMs): Statement {
  return db.insert(activity).select(
    sql`SELECT ${entry.id}, organization_id, 0, 'system', NULL, 'member.sign_in_failed', 'member', id, NULL,
      ${entry.ipAddress}, ${entry.requestId}, ${now} FROM members WHERE ${who}
      GROUP BY organization_id LIMIT ${MOST_MEMBERSHIPS}`,
  )
}
