import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { Schedule, ScheduleVersion } from './schedule.ts'

export function isSameVersion(one: ScheduleVersion, other: ScheduleVersion): boolean {
  return one.own === other.own && one.shared === other.shared
}

/** Whether nothing of the schedule has changed by the passing of time alone. `now` is the real time, not a sandbox's. */
export function isStillTrue({ trueUntil }: Pick<Schedule, 'trueUntil'>, now: RealMs): boolean {
  return now < trueUntil
}

/**
 * By how much a new booking moves the version on, as the triggers do. It may be moved on further, by the last booking of a
 * plan's month, but never less: what is remembered under a version that never was is only loaded again.
 */
export function movedBy(
  { organization }: Schedule,
  { assignedHostId, calendarConnectionId }: BookingRow,
): ScheduleVersion {
  const isShared = assignedHostId !== null || calendarConnectionId !== null || organization.hasCalendars
  return { own: 1, shared: Number(isShared) }
}
