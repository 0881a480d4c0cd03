import { holdOf } from '../../core/hold.ts'
import type { Interval } from '../../core/interval.ts'
import { resourceIdOf } from '../../core/resource-id.ts'
import type { RuleToSetAside } from '../../core/rules-to-set-aside.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import type { AssignedHost } from '../../platform/db/schema/assigned-host.ts'
import { because, type Refusal } from '../../platform/http/errors.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { calendarFor, calendarHeld, calendarsOf, oldestOf } from './calendar-times.ts'
import { type Decision, onPurpose } from './decide-start.ts'
import { withHolder, withoutHolder } from './held-time.ts'
import { asAssigned, isHeldBy } from './hostless-sessions.ts'
import { freeHosts, isHeld, type Placement, strategyOf } from './placement.ts'
import { isUnitId } from './resources/rooms.ts'
import type { Host, Schedule } from './schedule.ts'
import { settingAside } from './set-aside.ts'
import { coHostsOrNull } from './team.ts'

/** A meeting that another host takes over: its time, what it holds with its buffers, and who hosts it now. */
export type Handed = {
  readonly holderId: string
  readonly start: number
  readonly end: number
  readonly held: Interval | null
  readonly hosts: readonly AssignedHost[]
  /** The host who gives it up; null if it lacks one. */
  readonly fromId: string | null
}

type Wish = {
  /** The host who must take it; null for any. */
  readonly memberId: string | null
  readonly setAside: readonly RuleToSetAside[]
  readonly hostsToSkip: number
}

/**
 * Places a meeting at its own time with another host. Only what the host can take is judged: the start is not a new one.
 * `creditedIds` is the new host.
 */
export function decideHandOver(schedule: Schedule, handed: Handed, wish: Wish): Decision {
  return onPurpose(wish.setAside, (rules) => decideBy(schedule, handed, wish, rules))
}

function decideBy(
  schedule: Schedule,
  handed: Handed,
  { memberId, hostsToSkip }: Wish,
  setAside: readonly RuleToSetAside[],
): Decision {
  const others = withoutHolder(settingAside(schedule, setAside), handed.holderId, handed.start)
  const asked = askedOf(schedule, handed, memberId)
  const among = others.hosts.filter(({ id }) => asked.has(id))
  const free = freeHosts(others, timeOf(schedule, handed), among)
  const taker = free[hostsToSkip % Math.max(1, free.length)]
  if (!taker) return { refusal: refuseOthers(schedule, handed, memberId) }
  return { schedule, placement: placementOf(others, handed, taker) }
}

/** The refusal if none of the hosts who could take it is free. */
export function refuseOthers(schedule: Schedule, handed: Handed, memberId: string | null): Refusal {
  const details = {
    requested_time: formatInstant(handed.start),
    hosts_checked: askedOf(schedule, handed, memberId).size,
  }
  return because('no_other_host', details)
}

/** The hosts who could take it if they are free. Nobody replaces a host who always takes part. */
function askedOf(
  schedule: Schedule,
  { fromId, hosts }: Handed,
  memberId: string | null,
): ReadonlySet<string> {
  const { eventType, hosts: all } = schedule
  const isCollective = strategyOf(eventType) === null
  const isRequired = ({ id, part }: Host) => id === fromId && part === 'required'
  if (!isCollective && all.some(isRequired)) return new Set()
  const cannot = new Set([fromId, ...hosts.map(({ member_id }) => member_id)])
  const can = all.filter(({ id, part }) => !cannot.has(id) && (isCollective || part !== 'required'))
  return new Set(can.map(({ id }) => id).filter((id) => memberId === null || id === memberId))
}

/** The taker has the place of the giver; in a collective meeting the first by priority leads. */
function hostsAfter(schedule: Schedule, { fromId, hosts }: Handed, taker: Host): readonly AssignedHost[] {
  const isGiver = ({ member_id }: AssignedHost) => member_id === fromId
  const news = asAssigned(taker)
  const after = hosts.some(isGiver) ? hosts.map((host) => (isGiver(host) ? news : host)) : [news, ...hosts]
  if (strategyOf(schedule.eventType) !== null) return after
  const rank = new Map(schedule.hosts.map(({ id }, at) => [id, at]))
  const rankOf = ({ member_id }: AssignedHost) => rank.get(member_id) ?? schedule.hosts.length
  return after.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** Judged by the larger of the buffers that it was made with and today's. */
function timeOf({ eventType }: Schedule, { start, end, held }: Handed) {
  const today = holdOf(start, {
    durationMs: end - start,
    bufferBeforeMs: eventType.bufferBeforeMinutes * MINUTE_MS,
    bufferAfterMs: eventType.bufferAfterMinutes * MINUTE_MS,
  })
  const hold = {
    start: Math.min(today.start, held?.start ?? today.start),
    end: Math.max(today.end, held?.end ?? today.end),
  }
  return { start, end, hold }
}

function placementOf(others: Schedule, handed: Handed, taker: Host): Placement {
  const { eventType } = others
  const time = timeOf(others, handed)
  const [first, ...coHosts] = hostsAfter(others, handed, taker)
  const assignedHost = first!
  const isFree = (id: string) => !isHeld(others, id, time.hold)
  const held = calendarHeld(others, assignedHost.member_id)
  const isCollective = strategyOf(eventType) === null
  const theirs = (isCollective ? [] : coHosts).map(({ member_id }) => calendarFor(others, member_id))
  const calendarIds = new Set([held, ...theirs].flatMap((one) => one?.connection.id ?? []).filter(isFree))
  const written =
    held !== null && isFree(held.connection.id) ? calendarFor(others, assignedHost.member_id) : null
  const takingPart = [assignedHost, ...coHosts].map(({ member_id }) =>
    resourceIdOf(member_id, eventType.isTest),
  )
  return {
    ...time,
    hold: handed.held ?? time.hold,
    resourceIds: [...takingPart, ...calendarIds],
    units: [],
    session: null,
    host: assignedHost,
    coHosts,
    calendarConnectionId: written?.connection.id ?? null,
    busyAsOf: oldestOf(calendarsOf(others, assignedHost.member_id)),
    creditedIds: [taker.id],
    isAssignment: true,
  }
}

/** The units of a meeting, which it keeps. */
function unitIdsHeldBy({ holds }: Schedule, holderId: string, start: number): string[] {
  const isTheirs = isHeldBy(holderId, start)
  return [...holds].flatMap(([id, ofResource]) => (isUnitId(id) && ofResource.some(isTheirs) ? [id] : []))
}

/** The schedule after the hand-over, except for the order of assignments. */
export function withHandOver(
  schedule: Schedule,
  { holderId, start }: Handed,
  placement: Placement,
): Schedule {
  const { host, coHosts, calendarConnectionId } = placement
  const hosted = { assignedHost: host, coHosts: coHostsOrNull(coHosts), calendarConnectionId }
  return {
    ...withHolder(withoutHolder(schedule, holderId, start), holderId, {
      ...placement,
      resourceIds: [...placement.resourceIds, ...unitIdsHeldBy(schedule, holderId, start)],
    }),
    sessions: schedule.sessions.map((one) => (one.id === holderId ? { ...one, ...hosted } : one)),
  }
}
