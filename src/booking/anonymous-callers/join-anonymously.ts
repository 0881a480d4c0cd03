import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { AskedMs, PresentMs } from '../../platform/limits/clock.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import type { Stranger } from './anonymous-caller.ts'
import { beyondForAddress, refuseNetwork } from './over-limit.ts'
import { countJoin, type Known, selectJoinCounts } from './queries.ts'

/** What a stranger has made here so far, to be read with the schedule; nothing for a call with a key. */
export function joinCounts(db: Db, eventTypeId: string, stranger: Stranger | null) {
  return stranger ? [selectJoinCounts(db, eventTypeId, stranger)] : []
}

export type JoinCounts = Awaited<ReturnType<typeof selectJoinCounts>>[number]

/** Why nobody may join from the stranger's network for now. */
export function refuseToJoin(
  { organization }: Schedule,
  stranger: Stranger,
  { made }: JoinCounts,
  realNow: AskedMs,
): Refusal | null {
  return refuseNetwork(publicLimitsOf(organization), made, stranger, realNow)
}

/** Why the caller's address may not wait once more. */
export function refuseToWait(
  { organization }: Schedule,
  { waiting }: JoinCounts,
  now: PresentMs,
): Refusal | null {
  const limits = publicLimitsOf(organization)
  const [count, next] = waiting
  return count < limits.waiting_per_email ? null : beyondForAddress(limits, 'waiting_per_email', next, now)
}

/** Counts the entry in the batch that makes it, which fails where a limit was reached meanwhile. */
export function countJoiner(
  db: Db,
  { organization }: Schedule,
  stranger: Stranger | null,
  entry: Known,
): Statement[] {
  return stranger ? countJoin(db, entry, stranger, publicLimitsOf(organization)) : []
}
