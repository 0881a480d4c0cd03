import type { SlotRules } from '../../core/hold.ts'
import { type Interval, overlaps } from '../../core/interval.ts'
import { canTake } from '../../core/person.ts'
import { rankHosts, type Strategy } from '../../core/rotation.ts'
import { chooseUnits, freeUnitsAt } from '../../core/units.ts'
import type { AssignedHost } from '../../platform/db/schema/assigned-host.ts'
import type { HeldUnit } from '../../platform/db/schema/bookings.ts'
import { calendarFor, calendarHeld, calendarsOf, oldestOf } from './calendar-times.ts'
import { bookingsNear, freeTimeTeller } from './free-time.ts'
import { asAssigned, hostsHeldBy, isHostless } from './hostless-sessions.ts'
import { hostTeller } from './people.ts'
import { asUnits, neededOf, unitIdOf, withNames } from './resources/rooms.ts'
import type { EventTypeRow, Host, Schedule, Session } from './schedule.ts'
import { isGroup } from './slot-request.ts'

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

/** A booking that is being rescheduled: it keeps its host if they are free, and its seats in a session. */
export type Mover = {
  readonly hostId: string | null
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
    return { ...takeOver(schedule, time, session.id, hostsToSkip), units: session.resources ?? [], session }
  }
  if (session) {
    const host = session.assignedHost
    const isNews = host !== null && host.member_id !== mover?.hostId
    return {
      ...time,
      resourceIds: [],
      units: session.resources ?? [],
      session,
      host,
      calendarConnectionId: session.calendarConnectionId,
      busyAsOf: oldestOf(calendarsOf(schedule, host?.member_id ?? null)),
      creditedIds: isNews ? [host.member_id] : [],
      isAssignment: false,
    }
  }
  const chosen = hostsFor(schedule, time, mover?.hostId ?? null, hostsToSkip)
  const [first] = chosen
  const isCollective = strategyOf(eventType) === null
  const isNews = !mover || (!isCollective && first?.id !== mover.hostId)
  const units = chooseRooms(schedule, time, mover?.units ?? null)
  const resourceIds = [
    ...(hosts.length === 0 ? [eventType.id] : chosen.map(({ resourceId }) => resourceId)),
    ...units.map(({ id, unit }) => unitIdOf(id, unit)),
  ]
  const calendar = calendarFor(schedule, first?.id ?? null)
  const held = calendarHeld(schedule, first?.id ?? null)
  return {
    ...time,
    resourceIds: held ? [...resourceIds, held.connection.id] : resourceIds,
    units,
    session: isGroup(eventType) || (mover?.isInSession && !isSessionAt(schedule, time.start)) ? 'new' : null,
    host: first ? asAssigned(first) : null,
    calendarConnectionId: calendar?.connection.id ?? null,
    busyAsOf: oldestOf(calendarsOf(schedule, isCollective ? null : (first?.id ?? null))),
    creditedIds: isNews ? chosen.map(({ id }) => id) : [],
    isAssignment: isNews,
  }
}

/**
 * The placement of held time whose host left: the next host whose time it holds takes over, or else a free host by
 * strategy. No host if nobody is free; the meeting stays.
 */
export function takeOver(schedule: Schedule, time: Time, holderId: string, hostsToSkip: number): Placement {
  const held = hostsHeldBy(schedule, holderId, time.start)
  const isCollective = strategyOf(schedule.eventType) === null
  const [host] = held.length > 0 || isCollective ? held : hostsFor(schedule, time, null, hostsToSkip)
  const calendar = host && calendarHeld(schedule, host.id)
  const isFree = calendar && !isHeld(schedule, calendar.connection.id, time.hold)
  return {
    ...time,
    resourceIds: [
      ...(host && held.length === 0 ? [host.resourceId] : []),
      ...(isFree ? [calendar.connection.id] : []),
    ],
    units: [],
    session: null,
    host: host ? asAssigned(host) : null,
    calendarConnectionId: isFree ? (calendarFor(schedule, host!.id)?.connection.id ?? null) : null,
    busyAsOf: host ? oldestOf(calendarsOf(schedule, host.id)) : null,
    creditedIds: host && held.length === 0 ? [host.id] : [],
    isAssignment: host !== undefined && held.length === 0,
  }
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
  return held.some(({ startsAt, endsAt }) => overlaps({ start: startsAt, end: endsAt }, time))
}

/** An event type with one seat may have another host's session from when it had more; a start has one session. */
export function isSessionAt({ sessions }: Schedule, start: number): boolean {
  return sessions.some(({ startTime }) => startTime === start)
}

/** The hosts who take part: one free host with a strategy, all without. */
function hostsFor(
  schedule: Schedule,
  { start, end, hold }: Time,
  currentHostId: string | null,
  hostsToSkip: number,
): readonly Host[] {
  if (strategyOf(schedule.eventType) === null) return schedule.hosts
  const free = freeHosts(schedule, { start, end, hold })
  const kept = free.find(({ id }) => id === currentHostId)
  if (kept) return [kept]
  const at = hostsToSkip % Math.max(1, free.length)
  return free.slice(at, at + 1)
}

/** The hosts who can take a meeting, in the order of the strategy; without one, of priority, then age. */
export function freeHosts(schedule: Schedule, { start, end, hold }: Time): readonly Host[] {
  const strategy = strategyOf(schedule.eventType)
  const rules = rulesAt({ start, end, hold })
  const personOf = hostTeller(schedule, { start, end: start + 1 })
  const isWeighted = strategy === 'availability_weighted'
  const freeTime = isWeighted ? freeTimeTeller(schedule, start) : () => 0
  const near = isWeighted ? bookingsNear(schedule, start) : null
  const candidates = schedule.hosts.map((host) => {
    const person = personOf(host)
    const figures = { freeMs: freeTime(person), nearBookings: near?.get(host.id) ?? 0 }
    return { ...host, ...figures, isFree: canTake(person, start, rules) }
  })
  const ranked = strategy === null ? candidates : rankHosts(strategy, candidates)
  return ranked.filter(({ isFree }) => isFree)
}
