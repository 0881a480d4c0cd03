import { PLANS } from '../limits/plans.ts'
import { refusePayment } from './price.ts'
import type { Schedule } from './schedule.ts'

/** Whether the event type takes no booking at all for now. */
export function isHindered(schedule: Schedule): boolean {
  const { eventType, organization, bookingsThisMonth } = schedule
  if (!eventType.active || organization.suspendedAt !== null) return true
  if (refusePayment(schedule, 1)) return true
  return !eventType.isTest && bookingsThisMonth >= PLANS[organization.tier].bookingsPerMonth
}
