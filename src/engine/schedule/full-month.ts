import { PLANS, type Tier } from '../../platform/limits/plans.ts'
import type { Schedule } from './schedule.ts'

/** Whether the month's quota of the plan is used up. Test data has no limit. */
export function isMonthFull({ eventType, organization, bookingsThisMonth }: Schedule): boolean {
  return !eventType.isTest && isUsedUp(organization.tier, bookingsThisMonth)
}

/** When the next month begins. The plan's months are UTC's. */
export function nextMonthAt(now: number): number {
  const today = new Date(now)
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)
}

export function isUsedUp(tier: Tier, bookingsThisMonth: number): boolean {
  return bookingsThisMonth >= PLANS[tier].bookingsPerMonth
}
