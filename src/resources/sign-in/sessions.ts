import type { Origin } from '../../auth/caller.ts'
import { randomSecret, sha256 } from '../../auth/secret.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import type { Env } from '../../env.ts'
import type { RealMs } from '../../limits/clock.ts'
import { DAY_MS, HOUR_MS } from '../../scheduling/time-units.ts'
import { recordActivity } from '../activity/statements.ts'
import {
  deleteSession,
  deleteSessionByHash,
  insertSession,
  listMembershipsOf,
  listMembershipsOfMember,
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

/** Whom a session stands for: everybody with an address, or one member. */
export type Person = Pick<SessionRow, 'email' | 'memberId'>

type Visitor = Pick<Origin, 'ipAddress' | 'requestId'> & {
  readonly device: string
  /** What their browser held before: it ends, so that nobody goes on with a session that they planted. */
  readonly former: string | null
  readonly now: RealMs
}

export type OpenedSession = { readonly token: string; readonly memberships: readonly MembershipRow[] }

/** Signs a person in. Null where nobody may come in: who has no membership, unless `isNewWelcome`. */
export async function openSession(
  env: Env,
  person: Person,
  visitor: Visitor,
  isNewWelcome: boolean,
): Promise<OpenedSession | null> {
  const db = openDb(env, 'decide')
  const { email, memberId } = person
  const memberships =
    memberId === null ? await listMembershipsOf(db, email) : await listMembershipsOfMember(db, memberId)
  if (memberships.length === 0 && !isNewWelcome) return null
  const token = randomSecret()
  const { now, device, former } = visitor
  const row: SessionRow = {
    id: newId(),
    tokenHash: await sha256(token),
    email,
    memberId,
    organizationId: memberships.length === 1 ? memberships[0]!.id : null,
    isTest: false,
    device,
    provenAt: now,
    usedAt: now,
    createdAt: now,
  }
  await commitBatch(db, [
    insertSession(db, row),
    ...(former === null ? [] : [deleteSessionByHash(db, await sha256(former))]),
    ...memberships.map((membership) => noted(db, membership, visitor, 'member.signed_in')),
  ])
  return { token, memberships }
}

/** The session of a token and the memberships it opens; null where it is none or was not used for a month. */
export async function findSession(env: Env, token: string, now: RealMs) {
  return loadSession(openDb(env, 'decide'), {
    tokenHash: await sha256(token),
    idleSince: now - IDLE_MS,
    touchBefore: now - NOTED_MS,
    now,
  })
}

/** Ends one of a person's sessions; ending it again is harmless. */
export async function endSession(
  env: Env,
  session: Person,
  id: string,
  memberships: readonly MembershipRow[],
  origin: Pick<Origin, 'ipAddress' | 'requestId'>,
): Promise<void> {
  const db = openDb(env, 'decide')
  await commitBatch(db, [
    deleteSession(db, session, id),
    ...memberships.map((membership) => noted(db, membership, origin, 'member.signed_out')),
  ])
}

export function sessionsOf(env: Env, person: Person, now: RealMs): Promise<SessionRow[]> {
  return listSessions(openDb(env, 'decide'), person, now - IDLE_MS)
}

export function workIn(
  env: Env,
  sessionId: string,
  place: Partial<Pick<SessionRow, 'organizationId' | 'isTest'>>,
): Promise<void> {
  return moveSession(openDb(env, 'decide'), sessionId, place)
}

/** They have just proven once more who they are. */
export function proveAgain(env: Env, sessionId: string, now: RealMs): Promise<void> {
  return proveSession(openDb(env, 'decide'), sessionId, now)
}

function noted(
  db: ReturnType<typeof openDb>,
  { id: organizationId, memberId, userId }: MembershipRow,
  { ipAddress, requestId }: Pick<Origin, 'ipAddress' | 'requestId'>,
  action: string,
) {
  const origin: Origin = { actorType: 'user', actorId: userId, ipAddress, requestId }
  return recordActivity(db, { organizationId, isTest: false }, origin, {
    action,
    resourceType: 'member',
    resourceId: memberId,
  })
}
