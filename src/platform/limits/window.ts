import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Plan } from './plans.ts'

/** Calls counted in the UTC minute and the UTC day that began at the given instants. */
export type Counters = {
  readonly minuteStart: number
  readonly minuteCalls: number
  readonly dayStart: number
  readonly dayCalls: number
}

type WindowName = '1m' | '24h'

export type RateDecision = {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
  readonly refusedBy: { readonly window: WindowName; readonly limit: number; readonly resetAt: number } | null
}

/** No call takes longer than this to reach its counters; a clock that is set back goes further. */
const LATE_MS = 5 * MINUTE_MS

const NONE: Counters = { minuteStart: 0, minuteCalls: 0, dayStart: 0, dayCalls: 0 }

export function windowStart(instant: number, windowMs: number): number {
  return Math.floor(instant / windowMs) * windowMs
}

/** How long it is until the next midnight UTC. */
export function untilMidnight(now: number): number {
  return windowStart(now, DAY_MS) + DAY_MS - now
}

/**
 * Counts one call in both windows or in neither, by the real clock: a sandbox that sets its own neither gets calls
 * by it nor waits for it. A call that is not `counted`, and one that is refused, takes nothing from either window.
 */
export function takeCall(
  before: Counters | null,
  plan: Plan,
  now: number,
  counted: boolean,
): { readonly counters: Counters; readonly decision: RateDecision } {
  const last = before ?? NONE
  // A call that is judged a moment after it came in must not reopen its old window.
  const isLate = now < last.minuteStart && last.minuteStart - now <= LATE_MS
  const minuteStart = isLate ? last.minuteStart : windowStart(now, MINUTE_MS)
  const dayStart = isLate ? last.dayStart : windowStart(now, DAY_MS)
  const minuteCalls = last.minuteStart === minuteStart ? last.minuteCalls : 0
  const dayCalls = last.dayStart === dayStart ? last.dayCalls : 0
  const minuteEnd = minuteStart + MINUTE_MS
  const dayEnd = dayStart + DAY_MS

  const refusedBy = !counted
    ? null
    : dayCalls >= plan.callsPerDay
      ? { window: '24h' as const, limit: plan.callsPerDay, resetAt: dayEnd }
      : minuteCalls >= plan.callsPerMinute
        ? { window: '1m' as const, limit: plan.callsPerMinute, resetAt: minuteEnd }
        : null
  const taken = counted && !refusedBy ? 1 : 0
  return {
    counters: { minuteStart, minuteCalls: minuteCalls + taken, dayStart, dayCalls: dayCalls + taken },
    decision: {
      limit: plan.callsPerMinute,
      remaining: Math.max(
        0,
        Math.min(plan.callsPerMinute - minuteCalls, plan.callsPerDay - dayCalls) - taken,
      ),
      resetAt: minuteEnd,
      refusedBy,
    },
  }
}
