import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { Placement } from './placement.ts'
import { isUnitId } from './resources/rooms.ts'
import type { CurrentVersion, Schedule, ScheduleVersion } from './schedule.ts'
import { hostsOf } from './team.ts'

export function isSameVersion(one: ScheduleVersion, other: ScheduleVersion): boolean {
  return one.own === other.own && one.shared === other.shared
}

/** Whether the passing of time has not changed the schedule. `now` is the real time, not a sandbox's. */
export function isStillTrue({ trueUntil }: Pick<Schedule, 'trueUntil'>, now: RealMs): boolean {
  return now < trueUntil
}

/** The marks that concern a schedule: of its hosts, of members whose calendars it checks, and of its rooms. */
export type Concerns = ReadonlySet<string>

/** The end of the id of a member or a room, as the triggers write it. */
const MARK_LENGTH = 8
/** In the mark of a change that concerns every event type. */
const EVERYBODY = '*'
/**
 * A mark is followed by the hour of the meeting whose time was taken or released, by dashes after any other change, or by
 * plus signs if all of their time may have changed.
 */
const HOUR_LENGTH = 8
export const CHANGE_LENGTH = MARK_LENGTH + HOUR_LENGTH

export function markOf(memberId: string): string {
  return memberId.slice(-MARK_LENGTH)
}

export function concernsOf({
  hosts,
  calendars,
  closing,
  rooms,
}: Pick<Schedule, 'hosts' | 'calendars' | 'closing' | 'rooms'>): Concerns {
  return new Set([
    ...closing.map(({ connection }) => markOf(connection.memberId)),
    ...rooms.map(({ id }) => markOf(id)),
    ...hosts.map(({ id }) => markOf(id)),
    ...calendars.map(({ connection }) => markOf(connection.memberId)),
  ])
}

/**
 * Whether a schedule of this version still holds: its event type has not changed, and of what event types share only what
 * does not concern it. After more changes than the database lists it is taken as changed.
 */
export function isCurrent(version: ScheduleVersion, concerns: Concerns, now: CurrentVersion): boolean {
  if (version.own !== now.own) return false
  const changes = latestChanges(version, now)
  return changes !== null && changesIn(changes).every(({ mark }) => !concerns.has(mark))
}

/** The changes of hosts since a version, one after another; null if everybody may have changed. */
export function latestChanges(version: ScheduleVersion, now: CurrentVersion): string | null {
  const length = (now.shared - version.shared) * CHANGE_LENGTH
  if (length <= 0) return length === 0 ? '' : null
  // The changes follow the version that they lead to.
  const [latest, listed = ''] = now.changes.split('/')
  const changes = listed.slice(0, length)
  const isWhole = Number(latest) === now.shared && changes.length === length
  return isWhole && !changes.includes(EVERYBODY) ? changes : null
}

/** A change of a member. */
type Change = {
  readonly mark: string
  /** The hours, since 1970, of the meetings whose time was taken or released; null without any. */
  readonly hours: readonly [first: number, last: number] | null
  /** Whether anything else may have changed. */
  readonly isMore: boolean
}

/** The changes in a text that has one after another. */
export function changesIn(text: string): Change[] {
  return Array.from({ length: text.length / CHANGE_LENGTH }, (_, at) => {
    const change = text.slice(at * CHANGE_LENGTH, (at + 1) * CHANGE_LENGTH)
    const mark = change.slice(0, MARK_LENGTH)
    const hour = Number(change.slice(MARK_LENGTH))
    if (change.endsWith('+')) return { mark, hours: [0, Number.POSITIVE_INFINITY], isMore: true }
    return { mark, hours: Number.isNaN(hour) ? null : [hour, hour], isMore: Number.isNaN(hour) }
  })
}

/**
 * By how much a new booking advances the version, as the triggers do. It may be more, after the last booking of a month's
 * quota, but never less: an unknown version is only loaded again.
 */
export function movedBy(
  schedule: Schedule,
  { assignedHostId, assignedHost, coHosts, calendarConnectionId }: BookingRow,
  placement: Pick<Placement, 'resourceIds'>,
): ScheduleVersion {
  const { organization } = schedule
  const isShared = assignedHostId !== null || calendarConnectionId !== null || organization.hasCalendars
  const hosts = hostsOf({ assignedHost, coHosts })
  const marks = Math.max(1, new Set(hosts.map(({ member_id }) => markOf(member_id))).size)
  const units = placement.resourceIds.filter(isUnitId).length
  return { own: 1, shared: (isShared ? marks : 0) + units }
}
