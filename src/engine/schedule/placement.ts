import type { SlotRules } from '../../core/hold.ts'
import { type Interval, overlaps } from '../../core/interval.ts'
import { canTake } from '../../core/person.ts'
import { rankHosts, type Strategy } from '../../core/rotation.ts'
import { chooseUnits, freeUnitsAt } from '../../core/units.ts'
import type { AssignedHost } from '../../platform/db/schema/assigned-host.ts'
import type { HeldUnit } from '../../platform/db/schema/bookings.ts'
import type { Calendar } from './calendar.ts'
import { calendarFor, calendarHeld, calendarsOf, oldestOf } from './calendar-times.ts'
import { bookingsNear, freeTimeTeller } from './free-time.ts'
import { asAssigned, heirsOf, isHostless } from './hostless-sessions.ts'
import { hostTeller } from './people.ts'
import { asUnits, neededOf, unitIdOf, withNames } from './resources/rooms.ts'
import type { EventTypeRow, Host, Schedule, Session } from './schedule.ts'
import { isGroup } from './slot-request.ts'
import { calendarsOfTeam, candidatesOf, hostsOf, teamOf } from './team.ts'

/** The host, session and calendar of a booking, and the time it takes. */
export type Placement = {
  readonly start: number
  readonly end: number
  readonly hold: Interval
  /** The resources that it holds; none if it joins a session that holds its time already. */
  readonly resourceIds: readonly string[]
  /** The units of rooms and equipment that the meeting has. */
  readonly units: readonly HeldUnit[]
  /** The session that it joins; `new` if it opens one; null for a meeting of its own. */
  readonly session: Session | 'new' | null
  readonly host: AssignedHost | null
  /** The hosts who take part beside that one: others of the pool first. */
  readonly coHosts: readonly AssignedHost[]
  /** The calendar it is written to. */
  readonly calendarConnectionId: string | null
  /** How old the busy times of the checked calendars are. */
  readonly busyAsOf: number | null
  /** The members whose figures count it, and whether it advances the order of assignments. */
  readonly creditedIds: readonly string[]
  readonly isAssignment: boolean
}

/** A meeting, and what it holds with its buffers. */
type Time = Interval & { readonly hold: Interval }

function rulesAt({ start, end, hold }: Time): SlotRules {
  return { durationMs: end - start, bufferBeforeMs: start - hold.start, bufferAfterMs: hold.end - end }
}

export function strategyOf({ assignmentStrategy }: EventTypeRow): Strategy | null {
  return assignmentStrategy === 'none' ? null : assignmentStrategy
}

/** Whether a booking counts for all hosts of an event type that always needs them all. */
export function isCollective(
  { eventType, hosts }: Schedule,
  { creditedIds, isAssignment }: Pick<Placement, 'creditedIds' | 'isAssignment'>,
): boolean {
  if (strategyOf(eventType) !== null || !isAssignment) return false
  if (creditedIds.length === 0 || creditedIds.length !== hosts.length) return false
  const credited = new Set(creditedIds)
  return hosts.every(({ id }) => credited.has(id))
}

/** A booking that is being rescheduled: it keeps its hosts if they are free, and its seats in a session. */
export type Mover = {
  /** The assigned host comes first. */
  readonly hostIds: readonly string[]
  readonly isInSession: boolean
  /** Its current start, which is open to it but not a move. */
  readonly start: number
  /** The units that it has, which it keeps if they are free. */
  readonly units: readonly HeldUnit[]
}

/** Places a booking at an open start. `hostsToSkip` is how many free hosts are left to others: see `races.ts`. */
export function placeAt(schedule: Schedule, time: Time, mover: Mover | null, hostsToSkip: number): Placement {
  const { eventType, sessions, hosts } = schedule
  const session = isGroup(eventType) ? sessions.find(({ startTime }) => startTime === time.start) : undefined
  if (session && isHostless(schedule, session)) {
    const taken = takeOver(schedule, time, session.id, hostsToSkip)
    const coHosts = without(session.coHosts ?? [], taken.host)
    return { ...taken, coHosts, units: session.resources ?? [], session }
  }
  if (session) return joining(schedule, time, session, mover)
  const chosen = hostsFor(schedule, time, mover?.hostIds ?? [], hostsToSkip)
  const [leading, ...others] = chosen
  const isCollective = strategyOf(eventType) === null
  const news = mover ? (isCollective ? [] : notIn(mover, chosen)) : chosen
  const units = chooseRooms(schedule, time, mover?.units ?? null)
  const resourceIds = [
    ...(hosts.length === 0 ? [eventType.id] : chosen.map(({ resourceId }) => resourceId)),
    ...units.map(({ id, unit }) => unitIdOf(id, unit)),
  ]
  const calendar = calendarFor(schedule, leading?.id ?? null)
  const held = calendarHeld(schedule, leading?.id ?? null)
  const hosted = { assignedHost: leading ? asAssigned(leading) : null, coHosts: others.map(asAssigned) }
  return {
    ...time,
    resourceIds: [...resourceIds, ...heldFor(schedule, held, isCollective ? [] : others)],
    units,
    session: isGroup(eventType) || (mover?.isInSession && !isSessionAt(schedule, time.start)) ? 'new' : null,
    host: hosted.assignedHost,
    coHosts: hosted.coHosts,
    calendarConnectionId: calendar?.connection.id ?? null,
    busyAsOf: oldestOf(calendarsOfTeam(schedule, hosted)),
    creditedIds: news.map(({ id }) => id),
    isAssignment: !mover || news.length > 0,
  }
}

/** The calendars whose time a meeting takes: that of its first host, and those that others receive it in. */
function heldFor(schedule: Schedule, first: Calendar | null, others: readonly Host[]): readonly string[] {
  const calendars = [first, ...others.map(({ id }) => calendarFor(schedule, id))]
  return [...new Set(calendars.flatMap((one) => one?.connection.id ?? []))]
}

/** The placement in a session, which has its hosts, its time and its units already. */
function joining(schedule: Schedule, time: Time, session: Session, mover: Mover | null): Placement {
  const { assignedHost, coHosts, resources, calendarConnectionId } = session
  const isCollective = strategyOf(schedule.eventType) === null
  const counting = (isCollective ? [assignedHost] : hostsOf(session)).flatMap((one) => one?.member_id ?? [])
  return {
    ...time,
    resourceIds: [],
    units: resources ?? [],
    session,
    host: assignedHost,
    coHosts: coHosts ?? [],
    calendarConnectionId,
    busyAsOf: oldestOf(calendarsOfTeam(schedule, session)),
    creditedIds: counting.filter((id) => !mover?.hostIds.includes(id)),
    isAssignment: false,
  }
}

function notIn({ hostIds }: Mover, hosts: readonly Host[]): readonly Host[] {
  return hosts.filter(({ id }) => !hostIds.includes(id))
}

function without(hosts: readonly AssignedHost[], one: AssignedHost | null): readonly AssignedHost[] {
  return hosts.filter(({ member_id }) => member_id !== one?.member_id)
}

/**
 * The placement of held time whose host left: the next host whose time it holds takes over, or else a free host by
 * strategy. No host if nobody is free; the meeting stays.
 */
export function takeOver(schedule: Schedule, time: Time, holderId: string, hostsToSkip: number): Placement {
  const heirs = heirsOf(schedule, holderId, time.start)
  const isCollective = strategyOf(schedule.eventType) === null
  const [host] = heirs.length > 0 || isCollective ? heirs : anybody(schedule, time, hostsToSkip)
  const calendar = host && calendarHeld(schedule, host.id)
  const isFree = calendar && !isHeld(schedule, calendar.connection.id, time.hold)
  return {
    ...time,
    resourceIds: [
      ...(host && heirs.length === 0 ? [host.resourceId] : []),
      ...(isFree ? [calendar.connection.id] : []),
    ],
    units: [],
    session: null,
    host: host ? asAssigned(host) : null,
    coHosts: [],
    calendarConnectionId: isFree ? (calendarFor(schedule, host!.id)?.connection.id ?? null) : null,
    busyAsOf: host ? oldestOf(calendarsOf(schedule, host.id)) : null,
    creditedIds: host && heirs.length === 0 ? [host.id] : [],
    isAssignment: host !== undefined && heirs.length === 0,
  }
}

function anybody(schedule: Schedule, time: Time, hostsToSkip: number): readonly Host[] {
  return first(freeHosts(schedule, time, candidatesOf(schedule)), hostsToSkip, 1)
}

/** The units that a new meeting takes at an open start; none if it needs none. */
function chooseRooms(schedule: Schedule, time: Time, own: readonly HeldUnit[] | null): readonly HeldUnit[] {
  const needed = neededOf(schedule)
  if (!needed) return []
  const free = freeUnitsAt(needed, time.start, rulesAt(time))
  return withNames(schedule, chooseUnits(needed.needs, free, asUnits(own)) ?? [])
}

/** Whether a part of this time is taken of a resource. */
export function isHeld({ holds }: Schedule, id: string, time: Interval): boolean {
  const held = holds.get(id) ?? []
  return held.some((one) => overlaps(one, time))
}

/** An event type with one seat may have another host's session from when it had more; a start has one session. */
export function isSessionAt({ sessions }: Schedule, start: number): boolean {
  return sessions.some(({ startTime }) => startTime === start)
}

/** The hosts who take part: so many free hosts of the pool, and all who always do. */
function hostsFor(
  schedule: Schedule,
  time: Time,
  currentIds: readonly string[],
  hostsToSkip: number,
): readonly Host[] {
  const { sure, size } = teamOf(schedule)
  if (size === 0) return sure
  const chosen = inPool(schedule, time, currentIds, hostsToSkip, size)
  const isNamed = ({ part }: Host) => part === 'chosen'
  return [...sure.filter(isNamed), ...chosen, ...sure.filter((host) => !isNamed(host))]
}

/** So many free hosts of the pool: those who take part already, then in the order of the strategy. */
function inPool(
  schedule: Schedule,
  time: Time,
  currentIds: readonly string[],
  hostsToSkip: number,
  size: number,
): readonly Host[] {
  const free = freeHosts(schedule, time, teamOf(schedule).pool)
  const kept = currentIds.flatMap((current) => free.find(({ id }) => id === current) ?? []).slice(0, size)
  const others = free.filter((host) => !kept.includes(host))
  return [...kept, ...first(others, hostsToSkip, size - kept.length)]
}

/** So many hosts from the one after those who are skipped. */
function first(hosts: readonly Host[], hostsToSkip: number, size: number): readonly Host[] {
  const at = hostsToSkip % Math.max(1, hosts.length)
  return [...hosts.slice(at), ...hosts.slice(0, at)].slice(0, size)
}

/** Those of the hosts who can take a meeting, in the order of the strategy; without one, of priority, then age. */
export function freeHosts(
  schedule: Schedule,
  { start, end, hold }: Time,
  hosts: readonly Host[],
): readonly Host[] {
  const strategy = strategyOf(schedule.eventType)
  const rules = rulesAt({ start, end, hold })
  const personOf = hostTeller(schedule, { start, end: start + 1 })
  const isWeighted = strategy === 'availability_weighted'
  const freeTime = isWeighted ? freeTimeTeller(schedule, start) : () => 0
  const near = isWeighted ? bookingsNear(schedule, start) : null
  const candidates = hosts.map((host) => {
    const person = personOf(host)
    const figures = { freeMs: freeTime(person), nearBookings: near?.get(host.id) ?? 0 }
    return { ...host, ...figures, isFree: canTake(person, start, rules) }
  })
  const ranked = strategy === null ? candidates : rankHosts(strategy, candidates)
  return ranked.filter(({ isFree }) => isFree)
}
