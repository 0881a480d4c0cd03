import { isMonthFull } from './full-month.ts'
import { refusePayment } from './price.ts'
import type { Schedule } from './schedule.ts'

/** Whether the event type takes no bookings at all at the moment. */
export function takesNoBookings(schedule: Schedule): boolean {
  const { eventType, organization } = schedule
  if (!eventType.active || organization.suspendedAt !== null) return true
  return refusePayment(schedule, 1) !== null || isMonthFull(schedule)
}
