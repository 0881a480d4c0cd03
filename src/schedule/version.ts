import type { RealMs } from '../limits/clock.ts'
import type { Schedule } from './schedule.ts'

/**
 * Which truth a schedule was made of: the event type's own part, and the part that it shares with the others of its
 * organization in the same mode. Triggers move one of them on in every commit that changes anything a schedule is
 * made of. The passing of time moves none: see `isStillTrue`.
 */
export type ScheduleVersion = { readonly own: number; readonly shared: number }

export function isSameVersion(one: ScheduleVersion, other: ScheduleVersion): boolean {
  return one.own === other.own && one.shared === other.shared
}

/** Whether nothing of the schedule has changed by the passing of time alone. `now` is the real time, not a sandbox's. */
export function isStillTrue({ trueUntil }: Pick<Schedule, 'trueUntil'>, now: RealMs): boolean {
  return now < trueUntil
}
