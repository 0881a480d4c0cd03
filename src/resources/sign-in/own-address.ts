import type { Origin } from '../../auth/caller.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import { homeOf } from '../../db/shards.ts'
import type { Env } from '../../env.ts'
import type { RealMs } from '../../limits/clock.ts'
import { recordActivity } from '../activity/statements.ts'
import { giveAddress, type MembershipRow } from './queries.ts'

/**
 * Gives a member whom only links let in the address that they proved by a code. From then on they sign in with it, and
 * their sessions are proven with it. False where they have one already, or a colleague has this one.
 */
export async function takeOwnAddress(
  env: Env,
  { id: organizationId, memberId, userId }: MembershipRow,
  email: string,
  { ipAddress, requestId }: Pick<Origin, 'ipAddress' | 'requestId'>,
  now: RealMs,
): Promise<boolean> {
  const db = openDb(homeOf(env, organizationId), 'decide')
  const origin: Origin = { actorType: 'user', actorId: userId, ipAddress, requestId }
  const change = { action: 'member.updated', resourceType: 'member', resourceId: memberId } as const
  const [first, ...rest] = giveAddress(db, { memberId, organizationId }, email, now)
  try {
    await commitBatch(db, [
      first!,
      ...rest,
      recordActivity(db, { organizationId, isTest: false }, origin, change),
    ])
    return true
  } catch (error) {
    if (fenceOf(error) === 'STALE') return false
    throw error
  }
}
