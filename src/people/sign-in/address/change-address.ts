import type { Env } from '../../../env.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { Origin } from '../../../platform/auth/caller.ts'
import { type Db, openDb, type Statement } from '../../../platform/db/client.ts'
import { fenceOf } from '../../../platform/db/refusals.ts'
import { homeOf, shardOfEnv, shardsOf } from '../../../platform/db/shards.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { commitInOrder } from '../commit-parts.ts'
import { everyMembershipOf } from '../memberships.ts'
import { guardCode, MOST_MEMBERSHIPS, spendCode } from '../queries.ts'
import { isRightCode, noteWrongGuess } from '../redeem-code.ts'
import { enqueueSecurityEmails } from '../security-email.ts'
import type { MembershipRow, SessionRow } from '../sessions.ts'
import * as queries from './queries.ts'

type Change = {
  readonly session: SessionRow
  /** All that get the address: one member without one, or everybody with the address of the session. */
  readonly memberships: readonly MembershipRow[]
  readonly to: string
  /** What they use, as they would name it. */
  readonly device: string
}

type Guess = Pick<Origin, 'ipAddress' | 'requestId'> & {
  /** The code that was mailed to the new address, and what was typed. */
  readonly id: string
  readonly digits: string
  readonly now: RealMs
}

/**
 * Gives a person the address that they proved by a code, wherever they are a member. From then on they sign in with it, and
 * with the passkeys that they have; their other sessions end; the old address is told. `wrong` where the code is, or is over;
 * `taken` where a colleague has the address.
 */
export async function changeAddress(
  env: Env,
  { session, memberships: known, to, device }: Change,
  { id, digits, now, ...origin }: Guess,
): Promise<'changed' | 'wrong' | 'taken'> {
  if (!(await isRightCode(env, id, digits))) {
    await noteWrongGuess(env, id, origin, now)
    return 'wrong'
  }
  const from = session.memberId === null ? session.email : ''
  // Before anything changes: if a database did not answer, somebody would keep the old address there.
  const isAlone = from === '' || (shardsOf(env).length === 1 && known.length < MOST_MEMBERSHIPS)
  const memberships = isAlone ? known : await everyMembershipOf(env, from)
  const movesIn = (home: Env): queries.AddressMove => ({
    memberIds: memberships.filter((one) => isIn(home, one.id)).map(({ memberId }) => memberId),
    from,
    to,
    session,
    now,
  })
  const first = homeOf(env, session.id)
  const told = await enqueueSecurityEmails(first, { memberships, device, now }, [
    { to, news: { what: from === '' ? 'addressAdded' : 'addressChanged', from, address: to } },
    ...(from === '' ? [] : [{ to: from, news: { what: 'addressLeft' as const, from, address: to } }]),
  ])
  const codeHome = homeOf(env, id)
  const isCodeHere = shardOfEnv(codeHome) === shardOfEnv(first)
  const code = (db: Db): Statement[] => [guardCode(db, id, to, now), spendCode(db, id, now)]
  const others = shardsOf(env).filter((home) => shardOfEnv(home) !== shardOfEnv(first))
  const part = (home: Env, ...more: readonly ((db: Db) => Statement[])[]) => ({
    shard: shardOfEnv(home),
    statements: (db: Db) => [
      ...more.flatMap((statements) => statements(db)),
      ...movedIn(db, home, movesIn(home), memberships, origin),
    ],
  })
  const guarded = part(first, (db) => [queries.guardAddress(db, movesIn(first))], told.statements)
  try {
    if (!isCodeHere) await commitInOrder(env, [{ shard: shardOfEnv(codeHome), statements: code }])
    const main = isCodeHere
      ? { ...guarded, statements: (db: Db) => [...code(db), ...guarded.statements(db)] }
      : guarded
    await commitInOrder(env, [main, ...others.map((home) => part(home))])
  } catch (error) {
    if (fenceOf(error) !== 'STALE') throw error
    const isTaken = await queries.isAddressTaken(openDb(first, 'decide'), movesIn(first))
    return isTaken ? 'taken' : 'wrong'
  }
  await told.announce()
  return 'changed'
}

function isIn(home: Env, id: string): boolean {
  return shardOfEnv(homeOf(home, id)) === shardOfEnv(home)
}

/** All that changes in one database. */
function movedIn(
  db: Db,
  home: Env,
  move: queries.AddressMove,
  memberships: readonly MembershipRow[],
  { ipAddress, requestId }: Pick<Origin, 'ipAddress' | 'requestId'>,
): Statement[] {
  return [
    ...queries.moveMembers(db, move),
    ...queries.moveSessions(db, move),
    ...(shardOfEnv(home) === 0
      ? queries.moveWaysIn(db, { ...move, memberIds: memberships.map(({ memberId }) => memberId) })
      : []),
    ...memberships
      .filter(({ id }) => isIn(home, id))
      .map(({ id: organizationId, memberId, userId }) =>
        recordActivity(
          db,
          { organizationId, isTest: false },
          { actorType: 'user', actorId: userId, ipAddress, requestId },
          {
            action: 'member.address_changed',
            resourceType: 'member',
            resourceId: memberId,
            changes: { user_email: [move.from, move.to] },
          },
        ),
      ),
  ]
}
