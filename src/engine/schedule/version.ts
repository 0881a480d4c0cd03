import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { Schedule, ScheduleVersion } from './schedule.ts'

export function isSameVersion(one: ScheduleVersion, other: ScheduleVersion): boolean {
  return one.own === other.own && one.shared === other.shared
}

/** Whether the passing of time has not changed the schedule. `now` is the real time, not a sandbox's. */
export function isStillTrue({ trueUntil }: Pick<Schedule, 'trueUntil'>, now: RealMs): boolean {
  return now < trueUntil
}

/**
 * By how much a new booking advances the version, as the triggers do. It may be more, after the last booking of a month's
 * quota, but never less: an unknown version is only loaded again.
 */
export function movedBy(
  { organization }: Schedule,
  { assignedHostId, calendarConnectionId }: BookingRow,
): ScheduleVersion {
  const isShared = assignedHostId !== null || calendarConnectionId !== null || organization.hasCalendars
  return { own: 1, shared: Number(isShared) }
}
