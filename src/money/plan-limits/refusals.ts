import type { TenantCaller } from '../../platform/auth/caller.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { because, type Refusal, Refused } from '../../platform/http/errors.ts'
import { MOST_PENDING_INVITATIONS, type PlanCap } from '../../platform/limits/plan-limits.ts'

/** How many there may be, if the sentence says it. */
type Cap = Exclude<PlanCap, 'bookings_per_month'>

export function overPlan(limit: Cap): Refusal {
  if (limit === 'invitations_pending') return because(limit, { most: MOST_PENDING_INVITATIONS }, { limit })
  return because(limit, { limit })
}

/** The service key itself has no limits; on behalf of a member it has those of the organization. */
export function isLimited(caller: TenantCaller): boolean {
  return caller.kind !== 'service' || caller.onBehalfOf !== null
}

/** Waits for a commit with a guard of `limit` in it. */
export async function withinPlan<T>(limit: Cap, committed: Promise<T>): Promise<T> {
  try {
    return await committed
  } catch (error) {
    throw fenceOf(error) === 'PLAN_LIMIT' ? new Refused(overPlan(limit)) : error
  }
}
