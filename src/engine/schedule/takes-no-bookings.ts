import { isMonthFull } from './full-month.ts'
import { refusePayment } from './price.ts'
import type { Schedule } from './schedule.ts'

/** Whether the event type takes no bookings at all at the moment. */
export function takesNoBookings(schedule: Schedule): boolean {
  return isTurnedOff(schedule) || isMonthFull(schedule)
}

/** The same, unless the plan's month alone is the reason, in which a hold of somebody may still become a booking later. */
export function isTurnedOff(schedule: Schedule): boolean {
  const { eventType, organization } = schedule
  if (!eventType.active || organization.suspendedAt !== null) return true
  return refusePayment(schedule, 1) !== null
}
