import { DAY_MS } from '../../core/time-units.ts'
import { monthOf } from '../../engine/schedule/schedule.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { planLimitsOf } from '../../platform/limits/plan-limits.ts'
import { PLANS } from '../../platform/limits/plans.ts'
import { windowStart } from '../../platform/limits/window.ts'
import { presentLimits } from '../subscription/present.ts'
import { countCalls } from './count-calls.ts'
import { loadUsage } from './queries.ts'
import type { Usage } from './schema.ts'

export async function getUsage(ctx: Context<TenantCaller>): Promise<Usage> {
  const { caller, env, now } = ctx
  const db = openDb(env, 'decide')
  // Calls are counted by the real clock, bookings by that of the caller's mode.
  const today = { from: windowStart(Date.now(), DAY_MS), to: Date.now() }
  const made = { from: monthStart(now, 0), to: now }
  const { tier, planLimits, bookingsThisMonth, keyHashes } = await loadUsage(
    db,
    caller,
    monthOf(now),
    today.from,
    made,
  )
  const calls = await countCalls(env, keyHashes, today)

  const plan = PLANS[tier]
  // The quota knows live bookings only: those of the sandbox are free.
  const charged = caller.isTest ? 0 : bookingsThisMonth
  return {
    tier,
    limits: { ...presentLimits(plan), ...planLimitsOf({ tier, planLimits }) },
    usage: {
      api_calls_today: calls,
      api_calls_remaining_daily: Math.max(0, plan.callsPerDay - calls),
      bookings_this_month: bookingsThisMonth,
      bookings_remaining_monthly: Math.max(0, plan.bookingsPerMonth - charged),
    },
    reset_at: {
      daily: formatInstant(today.from + DAY_MS),
      monthly: formatInstant(monthStart(now, 1)),
    },
  }
}

/** The start of the UTC month that lies `months` after the one of `instant`. */
function monthStart(instant: number, months: number): number {
  const date = new Date(instant)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)
}
