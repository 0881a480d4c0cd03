import { DAY_MS, HOUR_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import { randomSecret, sha256, shardOfSecret } from '../../platform/auth/secret.ts'
import { commitBatch, type Db, openDb, type Statement } from '../../platform/db/client.ts'
import { newIdIn, shardOf } from '../../platform/db/ids.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { askAll, homeOf, inShard, othersOf, shardOfEnv } from '../../platform/db/shards.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { commitParts, type Part } from './commit-parts.ts'
import { membershipsOf, withOthers } from './memberships.ts'
import type { Person } from './person.ts'
import {
  deleteSession,
  deleteSessionByHash,
  insertFailedSignIn,
  insertSession,
  listSessions,
  loadSession,
  type MembershipRow,
  moveSession,
  proveSession,
  type SessionRow,
} from './queries.ts'

export type { MembershipRow, SessionRow } from './queries.ts'

export const IDLE_MS = 30 * DAY_MS
/** That a session was used is noted once in this time. */
const NOTED_MS = HOUR_MS

type Visitor = Pick<Origin, 'ipAddress' | 'requestId'> & {
  readonly device: string
  /** What their browser held before: it ends, so that nobody goes on with a session that they planted. */
  readonly former: string | null
  readonly now: RealMs
}

/** What is known about the person who signs in. */
export type Entry = {
  /** Where they belong; looked up unless told. */
  readonly memberships?: readonly MembershipRow[]
  /** When they proved who they are; just now unless told. */
  readonly provenAt?: number
  /** What lets them in, and is used up by it: refused (STALE) where it is over. */
  readonly use?: (db: Db) => readonly Statement[]
  /** What is written together with the session. */
  readonly parts?: readonly Part[]
  /** What is noted besides that they signed in. */
  readonly action?: `member.${string}`
  /** What follows once they are in. */
  readonly announce?: () => Promise<void>
}

type OpenedSession = { readonly token: string; readonly memberships: readonly MembershipRow[] }

/** Signs a person in. Null where nobody may come in: who has no membership, unless `isNewWelcome`. */
export async function openSession(
  env: Env,
  person: Person,
  visitor: Visitor,
  isNewWelcome: boolean,
  entry: Entry = {},
): Promise<OpenedSession | null> {
  const { email, memberId } = person
  const memberships = entry.memberships ?? (await membershipsOf(env, person))
  if (memberships.length === 0 && !isNewWelcome) return null
  const [first] = memberships
  const shard = first ? shardOf(first.id) : 0
  const token = randomSecret(shard)
  const { now, device, former } = visitor
  const row: SessionRow = {
    id: newIdIn(shard),
    tokenHash: await sha256(token),
    email,
    memberId,
    organizationId: memberships.length === 1 ? memberships[0]!.id : null,
    isTest: false,
    device,
    provenAt: entry.provenAt ?? now,
    usedAt: now,
    createdAt: now,
  }
  const formerHash = former === null ? null : await sha256(former)
  try {
    await commitParts(env, [
      {
        shard,
        statements: (db) => [...(entry.use?.(db) ?? []), insertSession(db, row)],
        ...(entry.use && { isGuard: true }),
      },
      ...(entry.parts ?? []),
      ...(formerHash === null
        ? []
        : [{ shard: shardOfSecret(former!), statements: (db: Db) => [deleteSessionByHash(db, formerHash)] }]),
      ...['member.signed_in', ...(entry.action ? [entry.action] : [])].flatMap((action) =>
        memberships.map((membership) => noted(membership, visitor, action)),
      ),
    ])
  } catch (error) {
    if (entry.use && fenceOf(error) === 'STALE') return null
    throw error
  }
  await entry.announce?.()
  return { token, memberships }
}

/** The session of a token and the memberships it opens; null when the token is invalid or was not used for a month. */
export async function findSession(env: Env, token: string, now: RealMs) {
  const home = inShard(env, shardOfSecret(token))
  const found = await loadSession(openDb(home, 'decide'), {
    tokenHash: await sha256(token),
    idleSince: now - IDLE_MS,
    touchBefore: now - NOTED_MS,
    now,
  })
  if (found === null || found.session.memberId !== null) return found
  const { session, memberships } = found
  return { session, memberships: await withOthers(home, memberships, session.email, session.organizationId) }
}

/** Ends one of a person's sessions; ending it again is harmless. */
export async function endSession(
  env: Env,
  session: Person,
  id: string,
  memberships: readonly MembershipRow[],
  origin: Pick<Origin, 'ipAddress' | 'requestId'>,
): Promise<void> {
  await commitParts(env, [
    { shard: shardOf(id), statements: (db) => [deleteSession(db, session, id)] },
    ...memberships.map((membership) => noted(membership, origin, 'member.signed_out')),
  ])
}

/** A session is kept with one of the organizations that it opens, so one person's may be in several databases. */
export async function sessionsOf(env: Env, person: Person, now: RealMs): Promise<SessionRow[]> {
  const found = await askAll(env, (home) => listSessions(openDb(home, 'decide'), person, now - IDLE_MS))
  return found.flat().sort((one, other) => (one.id > other.id ? -1 : 1))
}

export function workIn(
  env: Env,
  sessionId: string,
  place: Partial<Pick<SessionRow, 'organizationId' | 'isTest'>>,
): Promise<void> {
  return moveSession(openDb(homeOf(env, sessionId), 'decide'), sessionId, place)
}

/** They have just proven once more who they are. */
export function proveAgain(env: Env, sessionId: string, now: RealMs): Promise<void> {
  return proveSession(openDb(homeOf(env, sessionId), 'decide'), sessionId, now)
}

/** Changes how a person signs in, in one database, and notes it in each of their organizations. False where that is refused (STALE). */
export async function changeNoted(
  env: Env,
  shard: number,
  statements: (db: Db) => Statement[],
  by: {
    readonly memberships: readonly MembershipRow[]
    readonly origin: Pick<Origin, 'ipAddress' | 'requestId'>
  },
  action: `member.${string}`,
  /** What is noted besides. */
  also: readonly Part[] = [],
): Promise<boolean> {
  try {
    await commitParts(env, [
      { shard, statements, isGuard: true },
      ...by.memberships.map((membership) => noted(membership, by.origin, action)),
      ...also,
    ])
    return true
  } catch (error) {
    if (fenceOf(error) === 'STALE') return false
    throw error
  }
}

/**
 * Logs a failed guess for the person it was about. Every database gets the same query whether or not somebody has the address,
 * so that the timing reveals nothing.
 */
export async function noteFailure(
  env: Env,
  person: Person,
  { ipAddress, requestId }: Pick<Origin, 'ipAddress' | 'requestId'>,
  now: RealMs,
): Promise<void> {
  await askAll(env, (home) => noteFailureIn(home, person, { ipAddress, requestId }, now))
}

/** The same in the other databases than that of `env`. */
export async function noteFailureElsewhere(
  env: Env,
  person: Person,
  origin: Pick<Origin, 'ipAddress' | 'requestId'>,
  now: RealMs,
): Promise<void> {
  await Promise.allSettled(othersOf(env).map((home) => noteFailureIn(home, person, origin, now)))
}

async function noteFailureIn(
  home: Env,
  person: Person,
  { ipAddress, requestId }: Pick<Origin, 'ipAddress' | 'requestId'>,
  now: RealMs,
): Promise<void> {
  const entry = { id: newIdIn(shardOfEnv(home)), ipAddress, requestId }
  const db = openDb(home, 'decide')
  await commitBatch(db, [insertFailedSignIn(db, person, entry, now)])
}

/** What somebody else did to a member, about which nobody there gets a notification. */
export function notedByOthers(
  membership: MembershipRow,
  { ipAddress, requestId }: Pick<Origin, 'ipAddress' | 'requestId'>,
  action: `member.${string}`,
): Part {
  return entryOf(membership, { actorType: 'system', actorId: null, ipAddress, requestId }, action)
}

function noted(
  membership: MembershipRow,
  { ipAddress, requestId }: Pick<Origin, 'ipAddress' | 'requestId'>,
  action: string,
): Part {
  return entryOf(membership, { actorType: 'user', actorId: membership.userId, ipAddress, requestId }, action)
}

function entryOf({ id: organizationId, memberId }: MembershipRow, origin: Origin, action: string): Part {
  const change = { action, resourceType: 'member', resourceId: memberId } as const
  return {
    shard: shardOf(organizationId),
    statements: (db) => [recordActivity(db, { organizationId, isTest: false }, origin, change)],
  }
}
