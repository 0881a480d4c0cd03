import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { AskedMs, PresentMs } from '../../platform/limits/clock.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import type { AnonymousCaller } from './anonymous-caller.ts'
import { overAddressLimit, refuseNetwork } from './over-limit.ts'
import { countJoin, type Known, selectJoinCounts } from './queries.ts'

/** What an anonymous caller has made here so far, read together with the schedule; nothing for a call with a key. */
export function joinCounts(db: Db, eventTypeId: string, anonymous: AnonymousCaller | null) {
  return anonymous ? [selectJoinCounts(db, eventTypeId, anonymous)] : []
}

export type JoinCounts = Awaited<ReturnType<typeof selectJoinCounts>>[number]

/** Why nobody can join from the caller's network at the moment. */
export function refuseToJoin(
  { organization }: Schedule,
  anonymous: AnonymousCaller,
  { made }: JoinCounts,
  realNow: AskedMs,
): Refusal | null {
  return refuseNetwork(publicLimitsOf(organization), made, anonymous, realNow)
}

/** Why the caller's address cannot join once more. */
export function refuseToWait(
  { organization }: Schedule,
  { waiting }: JoinCounts,
  now: PresentMs,
): Refusal | null {
  const limits = publicLimitsOf(organization)
  const [count, next] = waiting
  return count < limits.waiting_per_email ? null : overAddressLimit(limits, 'waiting_per_email', next, now)
}

/** Counts the entry in the batch that creates it, which fails if a limit was reached in the meantime. */
export function countJoiner(
  db: Db,
  { organization }: Schedule,
  anonymous: AnonymousCaller | null,
  entry: Known,
): Statement[] {
  return anonymous ? countJoin(db, entry, anonymous, publicLimitsOf(organization)) : []
}
