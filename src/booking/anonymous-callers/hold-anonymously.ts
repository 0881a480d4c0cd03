import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { Refusal } from '../../platform/http/errors.ts'
import type { AskedMs, PresentMs } from '../../platform/limits/clock.ts'
import { publicLimitsOf } from '../../platform/limits/public-limits.ts'
import type { AnonymousCaller } from './anonymous-caller.ts'
import { refusePending } from './over-limit.ts'
import { countHold, type Known, selectHoldCounts } from './queries.ts'

/**
 * What an anonymous caller has made and holds here so far, read together with the schedule; nothing for a call with a key.
 */
export function holdCounts(db: Db, eventTypeId: string, anonymous: AnonymousCaller | null, realNow: AskedMs) {
  return anonymous ? [selectHoldCounts(db, eventTypeId, anonymous, realNow)] : []
}

type HoldCounts = Awaited<ReturnType<typeof selectHoldCounts>>[number]

/** Why an anonymous caller cannot hold more at the moment: otherwise one network could hold a whole calendar. */
export function refuseToHold(
  { organization }: Schedule,
  anonymous: AnonymousCaller,
  counts: HoldCounts,
  now: PresentMs,
  realNow: AskedMs,
): Refusal | null {
  return refusePending(publicLimitsOf(organization), counts, anonymous, now, realNow)
}

/** Counts the hold in the batch that creates it, which fails if a limit was reached in the meantime. */
export function countHolder(
  db: Db,
  { organization }: Schedule,
  anonymous: AnonymousCaller | null,
  hold: Known,
  now: PresentMs,
): Statement[] {
  return anonymous ? countHold(db, hold, anonymous, publicLimitsOf(organization), now) : []
}
