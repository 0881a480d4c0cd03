import { fullCapPeriods } from '../../core/caps.ts'
import type { SlotRules } from '../../core/hold.ts'
import type { Interval } from '../../core/interval.ts'
import { zoneTable } from '../../core/local-time.ts'
import { NEVER_OPEN } from '../../core/open-hours.ts'
import { type Person, personTeller } from '../../core/person.ts'
import { calendarsOf, closingTimes, isClosedBy } from './calendar-times.ts'
import { hostTimes } from './host-times.ts'
import type { Host, Schedule, Session } from './schedule.ts'
import { hostsOf } from './team.ts'

const NONE: readonly never[] = []

const people = new WeakMap<Host, Person>()

/** Returns a host as a person in questions about starts in `range`: the same one again as long as nothing of them changes. */
export function hostTeller(schedule: Schedule, range: Interval): (host: Host) => Person {
  const closing = closingTimes(schedule)
  return (host) => {
    const { hours, closed } = presenceOf(schedule, host, closing)
    const busy = hostTimes(schedule, host)
    const full = fullTimesOf(schedule, host, range)
    const known = people.get(host)
    if (
      known?.hours === hours &&
      known.busy === busy &&
      isSameList(known.closed, closed) &&
      isSameList(known.full, full)
    ) {
      return known
    }
    const person = { hours, closed, busy, full }
    people.set(host, person)
    return person
  }
}

function isSameList(one: readonly Interval[], other: readonly Interval[]): boolean {
  if (one === other) return true
  const isSame = ({ start, end }: Interval, at: number) =>
    start === other[at]!.start && end === other[at]!.end
  return one.length === other.length && one.every(isSame)
}

/** A person as if nothing of their time were taken. */
export function idle({ hours, closed }: Pick<Person, 'hours' | 'closed'>): Person {
  return { hours, closed, busy: [], full: [] }
}

/** The host's hours. If hours come from the hosts, a host without hours is never available. */
export function presenceOf(
  schedule: Schedule,
  { hours, timeOff }: Host,
  closing = closingTimes(schedule),
): Pick<Person, 'hours' | 'closed'> {
  return {
    hours: schedule.eventType.hoursFrom === 'hosts' ? (hours ?? NEVER_OPEN) : hours,
    closed: closing.length === 0 ? timeOff : [...timeOff, ...closing],
  }
}

/** Hosts as if nothing of their time were taken, without those whose calendars are lost and close it. */
export function idleHosts(schedule: Schedule, hosts: readonly Host[]): Person[] {
  const reachable = hosts.filter(({ id }) => !isClosedBy(schedule, calendarsOf(schedule, id)))
  return reachable.map((host) => idle(presenceOf(schedule, host)))
}

/**
 * The days and weeks touching `range` in which the host has reached their limit, wherever the meetings are booked. A
 * meeting is one hold, however many attendees it has.
 */
export function fullTimesOf(
  { holds }: Schedule,
  { limits, resourceId }: Host,
  range: Interval,
): readonly Interval[] {
  if (limits === null) return NONE
  const { timeZone, perDay, perWeek } = limits
  const theirs = holds.get(resourceId) ?? []
  const use = {
    table: zoneTable(timeZone, range.start, range.end),
    range,
    bookings: theirs.map(({ meetsAt }) => ({ start: meetsAt, count: 1 })),
    totalCount: 0,
  }
  return [
    ...(perDay === null ? [] : fullCapPeriods({ ...use, cap: perDay, period: 'daily' })),
    ...(perWeek === null ? [] : fullCapPeriods({ ...use, cap: perWeek, period: 'weekly' })),
  ]
}

/** The sessions whose hosts are available for a meeting by `rules`. Sessions of hosts who left the event type stay open. */
export function attendedSessions(schedule: Schedule, rules: SlotRules): ReadonlySet<Session> {
  const attended = new Set(schedule.sessions)
  const byHost = Map.groupBy(
    schedule.sessions.flatMap((session) => hostsOf(session).map((host) => ({ session, host }))),
    ({ host }) => host.member_id,
  )
  for (const host of schedule.hosts) {
    const hosted = byHost.get(host.id)?.map(({ session }) => session) ?? []
    const theirs = hosted.toSorted((a, b) => a.startTime - b.startTime)
    const presence = presenceOf(schedule, host)
    if (theirs.length === 0 || (presence.hours === null && presence.closed.length === 0)) continue
    const around = { start: theirs[0]!.startTime, end: theirs.at(-1)!.startTime + rules.durationMs }
    const freeFrom = personTeller(idle(presence), rules, around)
    for (const session of theirs)
      if (freeFrom(session.startTime) !== session.startTime) attended.delete(session)
  }
  return attended
}
