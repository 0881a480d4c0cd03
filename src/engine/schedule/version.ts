import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { isCollective, type Placement } from './placement.ts'
import type { CurrentVersion, Schedule, ScheduleVersion } from './schedule.ts'

export function isSameVersion(one: ScheduleVersion, other: ScheduleVersion): boolean {
  return one.own === other.own && one.shared === other.shared
}

/** Whether the passing of time has not changed the schedule. `now` is the real time, not a sandbox's. */
export function isStillTrue({ trueUntil }: Pick<Schedule, 'trueUntil'>, now: RealMs): boolean {
  return now < trueUntil
}

/** The members whose changes concern a schedule: its hosts, and those whose calendars it checks. */
export type Concerns = ReadonlySet<string>

/** A mark is the end of a member's id, as the triggers write it. */
const MARK_LENGTH = 8
/** The mark of a change that concerns every event type. */
const EVERYBODY = '*'.repeat(MARK_LENGTH)

export function markOf(memberId: string): string {
  return memberId.slice(-MARK_LENGTH)
}

export function concernsOf({ hosts, calendars }: Pick<Schedule, 'hosts' | 'calendars'>): Concerns {
  return new Set([
    ...hosts.map(({ id }) => markOf(id)),
    ...calendars.map(({ connection }) => markOf(connection.memberId)),
  ])
}

/**
 * Whether a schedule of this version still holds: its event type has not changed, and of what event types share only what
 * does not concern it. After more changes than the database lists it is taken as changed.
 */
export function isCurrent(version: ScheduleVersion, concerns: Concerns, now: CurrentVersion): boolean {
  const count = now.shared - version.shared
  if (version.own !== now.own || count < 0) return false
  if (count === 0) return true
  // The marks follow the version that they lead to.
  const [latest, marks = ''] = now.changes.split(':')
  if (Number(latest) !== now.shared || count * MARK_LENGTH > marks.length) return false
  return marksIn(marks.slice(0, count * MARK_LENGTH)).every(
    (mark) => mark !== EVERYBODY && !concerns.has(mark),
  )
}

/** The marks in a text that has one after another. */
export function marksIn(text: string): string[] {
  return Array.from({ length: text.length / MARK_LENGTH }, (_, at) =>
    text.slice(at * MARK_LENGTH, (at + 1) * MARK_LENGTH),
  )
}

/**
 * By how much a new booking advances the version, as the triggers do. It may be more, after the last booking of a month's
 * quota, but never less: an unknown version is only loaded again.
 */
export function movedBy(
  schedule: Schedule,
  { assignedHostId, calendarConnectionId }: BookingRow,
  placement: Pick<Placement, 'creditedIds' | 'isAssignment'>,
): ScheduleVersion {
  const { organization, eventType, hosts } = schedule
  const isShared = assignedHostId !== null || calendarConnectionId !== null || organization.hasCalendars
  const isOfAll = assignedHostId !== null && eventType.assignmentStrategy === 'none'
  const marks = isOfAll ? new Set(hosts.map(({ id }) => markOf(id))).size : 1
  // What counts for all hosts is counted by the event type.
  return { own: isCollective(schedule, placement) ? 2 : 1, shared: isShared ? marks : 0 }
}
