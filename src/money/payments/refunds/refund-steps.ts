import { MINUTE_MS } from '../../../core/time-units.ts'
import { percentOf } from '../../../engine/schedule/price.ts'
import type { RefundRule } from '../../../platform/db/schema/payments.ts'

/** Until this instant, cancelling refunds this percentage. */
export type RefundStep = { readonly until: number; readonly amount: number }

type Price = { readonly amount: number; readonly currency: string }

/** The highest percent whose time has not run out yet; 0 where there is none. */
export function refundPercent(policy: readonly RefundRule[], startTime: number, now: number): number {
  const left = policy.filter((rule) => now <= startTime - rule.until_minutes_before * MINUTE_MS)
  return Math.max(0, ...left.map(({ percent }) => percent))
}

/** The remaining steps of a policy, soonest first. Empty when cancelling refunds nothing any more. */
export function refundSteps(
  policy: readonly RefundRule[],
  { amount, currency }: Price,
  startTime: number,
  now: number,
): RefundStep[] {
  const ends = policy
    .map((rule) => startTime - rule.until_minutes_before * MINUTE_MS)
    .filter((until) => until >= now)
    .sort((one, other) => one - other)
  return ends.flatMap((until) => {
    const percent = refundPercent(policy, startTime, until)
    if (percent === refundPercent(policy, startTime, until + 1)) return []
    return [{ until, amount: percentOf(amount, percent, currency) }]
  })
}
