import type { TenantCaller } from '../../platform/auth/caller.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { type Refusal, Refused } from '../../platform/http/errors.ts'
import { MOST_PENDING_INVITATIONS, type PlanCap } from '../../platform/limits/plan-limits.ts'

const CHANGE_PLAN = 'Remove one, or change the plan.'

const MESSAGES: Readonly<Record<Exclude<PlanCap, 'bookings_per_month'>, string>> = {
  calendars_per_member: `The plan allows a member no more calendars. ${CHANGE_PLAN}`,
  calendar_feeds: `The plan allows no more calendar feeds. ${CHANGE_PLAN}`,
  members: `The plan allows no more members. ${CHANGE_PLAN}`,
  event_types: `The plan allows no more event types. ${CHANGE_PLAN}`,
  invitations_pending: `${MOST_PENDING_INVITATIONS} invitations are pending. Revoke one, or wait until one is accepted or expires.`,
}

export function overPlan(limit: keyof typeof MESSAGES): Refusal {
  return { code: 'plan_limit_exceeded', message: MESSAGES[limit], details: { limit } }
}

/** The service key itself has no limits; on behalf of a member it has those of the organization. */
export function isLimited(caller: TenantCaller): boolean {
  return caller.kind !== 'service' || caller.onBehalfOf !== null
}

/** Waits for a commit with a guard of `limit` in it. */
export async function withinPlan<T>(limit: keyof typeof MESSAGES, committed: Promise<T>): Promise<T> {
  try {
    return await committed
  } catch (error) {
    throw fenceOf(error) === 'PLAN_LIMIT' ? new Refused(overPlan(limit)) : error
  }
}
